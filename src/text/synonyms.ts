// Words and phrases of developers that mean the same, mapped to one of them, so that statements in
// other words can be compared. Only what is interchangeable in a rule: "edit" and "modify", not
// "edit" and "delete".
import { stem } from './stem.ts'

/** The text with phrases replaced by single words. Expects lower case and straight apostrophes. */
export function unifyPhrases(text: string): string {
  return phrases.reduce((result, [phrase, word]) => result.replace(phrase, word), text)
}

/** The stem by which the word is compared. Expects lower case. */
export function conceptOf(word: string): string {
  // The stemmer turns "deploy" into "deploi" and "deployment" into "deploy".
  const plain = notAdverbs.test(word) ? word : word.replace(/(?<=[a-z]{4})ly$/, '')
  const stemmed = stem(plain).replace(/(?<=[a-z]{3})y$/, 'i')
  return concepts.get(word) ?? concepts.get(plain) ?? concepts.get(stemmed) ?? stemmed
}

const notAdverbs = /^(?:reply|apply|supply|family|assembly|nightly|daily|weekly|monthly|hourly|yearly|early|only|rely)$/

const switched = String.raw`(?=\s*(?:[.,;!]|$|(?:in|for|at|during|when|and|but|by)\b))`
const onBeforeOff = new RegExp(String.raw`(?<=\w )on${switched}(?=[^.;]{1,80} off${switched})`, 'g')
const onAfterOff = new RegExp(`(?<= (?:off|disabled)${switched}[^.;]{1,80} )on${switched}`, 'g')
const offNearEnabled = new RegExp(
  String.raw`(?<=\benabled\b[^.;]{1,80} )off${switched}|(?<=\w )off${switched}(?=[^.;]{1,80} enabled\b)`,
  'g',
)

const phrases: readonly (readonly [RegExp, string])[] = [
  [/\b(?:pull|merge) requests?\b/g, 'pr'],
  [/\bcheck(?:ed|ing|s)?[ -]in(?:to)?\b(?! (?:the|this|that|with|on|at)\b)/g, 'commit'],
  [/\bby hand\b/g, 'manually'],
  [/\bend[ -]to[ -]end\b/g, 'e2e'],
  [/\bsource code\b/g, 'code'],
  [/\bcode ?base\b/g, 'repository'],
  [/\b(?:prior to|ahead of)\b/g, 'before'],
  [/\b(?:get|gets|getting|got) rid of\b/g, 'remove'],
  [/\b(?:mak(?:e|es|ing) sure|be sure|ensure)(?: that)?\b/g, ''],
  [/\bmak(?:e|es|ing) use of\b/g, 'use'],
  [/\b(?:relies|rely|relying) on\b/g, 'use'],
  [/\bspin(?:s|ning)? up\b|\bboot(?:s|ing)? up\b/g, 'start'],
  [/\bnot? (?:less|fewer|shorter|smaller|lower|earlier) than\b/g, 'minimum'],
  [/\bnot? (?:longer|larger|bigger|higher|greater|later) than\b/g, 'below'],
  [/\b(?:at most|no more than|not more than|(?:less|fewer|shorter|smaller|lower) than|up to|a maximum of)\b/g, 'below'],
  [/\b(?:nobody|no one|none|nothing) (?:except|but|besides|other than)\b/g, 'only'],
  [/\b(?:every(?:one|body|thing)|anyone|all) (?:except|but|besides|other than|apart from)\b/g, 'except'],
  [/\b(?:under no circumstances|on no account|by no means)\b/g, 'never'],
  [/\b(?:refrain|stay away|keep away|steer clear|keep (?:your )?hands off|hands off) (?:from |of )?/g, 'avoid '],
  [/\b(?:(?:is|are) )?(?:off[- ]limits|a no-go|no-gos?|taboo|out of the question|not an option)\b/g, 'is forbidden'],
  [/\b(?:more|longer|larger|higher|greater) than\b/g, 'above'],
  [/\bat least\b/g, 'minimum'],
  [/(?<=\s)<=?(?=\s*\d)/g, 'below'],
  [/(?<=\s)>=?(?=\s*\d)/g, 'above'],
  [/\b(?:turn|switch)(?:s|es|ed|ing)? on\b/g, 'enabled'],
  [/\b(?:turn|switch)(?:s|es|ed|ing)? ((?:[\w-]+ ){1,4}?)on(?= (?:for|in|by)\b|\s*(?:[.,;!]|$))/g, 'enabled $1'],
  [/\b(?:turn|switch)(?:s|es|ed|ing)? ((?:[\w-]+ ){1,4}?)off(?= (?:for|in|by)\b|\s*(?:[.,;!]|$))/g, 'disabled $1'],
  [/\b(?:turn|switch)(?:s|es|ed|ing)? off\b/g, 'disabled'],
  [
    /(?<=\b(?:is|are|be|stays?|keep|leave|left|kept|remains?) )on(?= (?:by default|in|for)\b|\s*(?:[.,;!]|$))/g,
    'enabled',
  ],
  [
    /(?<=\b(?:is|are|be|stays?|keep|leave|left|kept|remains?) )off(?= (?:by default|in|for)\b|\s*(?:[.,;!]|$))/g,
    'disabled',
  ],
  [/(?<=\bdefault(?:s|ing)? (?:to|is|are) |: )on(?=\s*(?:[.,;!]|$|and\b))/g, 'enabled'],
  [/(?<=\bdefault(?:s|ing)? (?:to|is|are) |: )off(?=\s*(?:[.,;!]|$|and\b))/g, 'disabled'],
  // "Tracing on, profiling off", "on in dev and off in production".
  [onBeforeOff, 'enabled'],
  [onAfterOff, 'enabled'],
  [offNearEnabled, 'disabled'],
  [/(?<=\p{L}) > (?=\p{L})/gu, ' over '],
  [/\b(?:is|are) reserved for\b/g, 'only for'],
  [/\bround(?:s|ed|ing)? (up|down)\b/g, 'round $1wards'],
  // "Use npm to run the tests" is "run the tests with npm".
  [/\b(?:use|using) ((?:[\w./@+-]+ ){1,2}?)to (\w+ [^,;.]{2,60})(?=\s*(?:[,;.]|$))/g, '$2 with $1'],
  [/\bunder(?= §?\d)/g, 'below'],
  [/\bover(?= §?\d)/g, 'above'],
  [
    /(?<=\b(?:for|after|within|every|than|least|most|below|above|of|is|are|lasts?|takes?) )(?:an?|one) (?=(?:second|minute|hour|day|week|month|year)\b)/g,
    '1 ',
  ],
  [/\bevery (?=(?:second|minute|hour|day|week|month|year)\b)/g, 'every 1 '],
  [/(?<=\b(?:needs?|requires?|takes?|least|most|has|have|with|exactly|only|below|above) )one (?=\p{L}{3,})/gu, '1 '],
  [/\b(main|master|develop|release|default) branch\b(?! (?:is|are|protection|names?)\b)/g, '$1'],
  [/\b(?:we|they|i)(?:'ve| have)? (?:dropped|abandoned|discontinued|gave up|got rid of|removed)\b/g, 'we not'],
  [/\b(?:is|are|was|were|has been|have been) (?:dropped|abandoned|discontinued)\b/g, 'not'],
  [/\b(?:drop|end|remov)(?:s|es|ped|ed|ping|ing)? (?:the )?support (?:for|of)\b/g, 'not support'],
  [/\bout of use\b/g, 'not use'],
  [/\binstall(?:s|ing|ed)?(?= (?:an? |any |new |more |extra |other )*(?:dependenc|librar|package))/g, 'add'],
  [/\bsemver\b/g, 'semantic versioning'],
  [/\b(?:in charge of|responsible for|(?<=\b(?:is|are) )the owners? of)\b/g, 'owns'],
  [/\benv(?:ironment)?[ -]var(?:iable)?s?\b/g, 'env-variable'],
  // "Shouldn't we" asks; it denies nothing.
  [/\b(?:should|is|are|do|does|can|could|would|was)n't (?:we|it|they|you|that|this)\b/g, ''],
  [/\bas well\b|\bin general\b|\bby the way\b/g, ''],
  [/\bon (?:my|your|the) own machine\b|\bon (?:my|your) machine\b/g, 'locally'],
]

/** In each line the first word stands for all. */
const groups = `
change edit modify alter adjust rewrite touch
override overridden overrode overwrite overwritten
swallow suppress
direct straight
automatic automatical auto
add adding added create write introduce insert
repeat restate duplicate
tell say explain inform notify
document describe description documentation doc docs
dependency dep deps
folder directory dir
repository repo repos
database db
configuration config configure
environment env
production prod
development dev
variable var vars
argument arg args parameter param params
function func
application app
administrator admin
authentication auth authenticate
specification spec specs
run execute invoke listen bind
start launch boot begin
stop halt
remove delete erase
build compile
check verify validate
short small concise brief compact
big large huge
fast quick rapid
descriptive meaningful expressive
fix repair resolve
bug defect
show display
choose pick select
prefer favor favour
ask consult
answer reply respond
look inspect examine
fetch retrieve load
send submit
ticket issue
refactor restructure
approve sign-off approval
simple plain
pr prs
minimum min
maximum max
kubernetes k8s
typescript ts
javascript js
python py
postgresql postgres pg
golang go-lang
message msg msgs
machine computer laptop workstation
upgrade update bump
need require
person people human
picture image
identifier id ids
near beside alongside next-to
indentation indent
format reformat formatting
log logs logging
secret secrets credential credentials
`

const concepts = new Map(
  groups
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [first, ...others] = line.split(' ')
      const concept = stem(first!)
      return others.flatMap((word): [string, string][] => [
        [word, concept],
        [stem(word), concept],
      ])
    }),
)
