// Irregular English forms, which no stemmer maps to their base form. Forms that are also words of
// their own (left, found, saw) are listed if the verb is more frequent.

/** The word first, then its forms. */
const lines = `
be am is are was were been being
become became
begin began begun
bend bent
bite bit bitten
blow blew blown
break broke broken
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
come came
deal dealt
dig dug
do did done does
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone goes
grow grew grown
hang hung
have had has
hear heard
hide hid hidden
hold held
keep kept
know knew known
lay laid
lead led
learn learnt
leave left
lend lent
lose lost
make made
mean meant
meet met
pay paid
rebuild rebuilt
rewrite rewrote rewritten
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
speak spoke spoken
spend spent
spin spun
stand stood
steal stole stolen
stick stuck
strike struck
swear swore sworn
sweep swept
swim swam swum
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
undo undid undone
wake woke woken
wear wore worn
win won
wind wound
write wrote written
child children kid kids
foot feet
goose geese
life lives
man men
mouse mice
person people
tooth teeth
wife wives
woman women
knife knives
leaf leaves
shelf shelves
index indices indexes
matrix matrices
vertex vertices
datum data
analysis analyses
good better best
bad worse worst
mom mum mother
dad father
photo picture pic
marry marriage
`

export const irregularForms = new Map(
  lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [word, ...forms] = line.split(' ')
      return forms.map((form) => [form, word!] as const)
    }),
)
