// Turns a sentence into named features: its cues, its words, its syntax, its commitment, and the
// agent's reaction.

import type { MemoryKind } from '../../memory/memory.ts'
import { detached } from '../../text/detached.ts'
import { stopWords } from '../../text/stop-words.ts'
import { answerCues, cues } from './cues.ts'
import { foreignCuesOf } from './languages.ts'
import { withoutRequest } from './requests.ts'
import type { Sentence } from './sentences.ts'
import { withoutOpening } from './sentences.ts'

export interface MessageContext {
  before: string
  after: string
  hasPaste: boolean
}

export type Features = Map<string, number>

const cueList = Object.entries(cues)
const answerCueList = Object.entries(answerCues)

/** Features of the whole message, the same for each of its sentences. */
export function messageFeatures({ before, after, hasPaste }: MessageContext, sentences: Sentence[]): Features {
  const found: Features = new Map()
  const orders = sentences.filter(({ plain }) => cues.orders!.test(withoutOpening(plain))).length
  if (orders >= 3 && orders * 2 >= sentences.length) found.set('ofSteps', 1)
  const answer = after.trimStart().slice(0, 250).toLowerCase().replace(/[‘’]/g, "'")
  for (const [name, pattern] of answerCueList) if (pattern.test(answer)) found.set(name, 1)
  if (answer === '') found.set('noAnswer', 1)
  const asked = before.trimEnd().slice(-300)
  if (asked === '') found.set('firstWord', 1)
  if (/\?\W*$/.test(asked)) found.set('wasAsked', 1)
  if (hasPaste) found.set('besidePaste', 1)
  return found
}

export function sentenceFeatures(sentence: Sentence, next: Sentence | undefined, around: Features): Features {
  const found: Features = new Map(around)
  const own = ownFeatures(sentence.plain)
  for (const name of own.names) found.set(name, 1)
  if (own.isForeign) {
    const act = foreignActOf(found)
    if (act) found.set(`outright ${act}`, 1)
  } else {
    if (next !== undefined && explains.test(next.plain)) found.set('explainedNext', 1)
    for (const name of own.tone) found.set(name, 1)
  }
  addFormFeatures(found, sentence, own)
  combine(found)
  return found
}

/** What a sentence has by itself, whatever stands around it. */
interface OwnFeatures {
  isForeign: boolean
  names: string[]
  /** Named after `names`, because sums of weights depend on the order. */
  tone: string[]
  words: number
  /** Whether it cannot be understood alone. */
  isBare: boolean
}

function ownFeatures(plain: string): OwnFeatures {
  const known = knownSentences.get(plain)
  if (known) return known
  const found = readOwnFeatures(plain)
  if (plain.length > maxKnownLength) return found
  if (knownSentences.size >= maxKnown) knownSentences.clear()
  knownSentences.set(detached(plain), found)
  return found
}

/** A cache: people write many sentences again, and a hundred patterns are tried on each. */
const knownSentences = new Map<string, OwnFeatures>()
const maxKnown = 4000
const maxKnownLength = 400

function readOwnFeatures(sentence: string): OwnFeatures {
  const plain = withoutOpening(sentence)
  const form = { words: wordCount(plain), isBare: !saysSomething(plain) }
  const lower = plain.toLowerCase()
  const foreign = foreignCuesOf(lower)
  const names: string[] = []
  if (foreign) {
    for (const name of anyLanguage) if (cues[name]!.test(plain)) names.push(name)
    for (const [name, pattern] of foreign) if (pattern.test(lower)) names.push(name)
    return { isForeign: true, names, tone: [], ...form }
  }
  for (const [name, pattern] of cueList) if (pattern.test(plain)) names.push(name)
  names.push(...syntaxFeatures(plain), ...phrasesOf(sentence))
  if (isWithheld(plain)) names.push('withheld')
  const act = speechActOf(plain)
  if (act) names.push(`outright ${act}`)
  if (isHypothetical(plain)) names.push('hypothetical')
  return { isForeign: false, names, tone: toneOf(sentence), ...form }
}

function toneOf(sentence: string): string[] {
  return tones.filter(([, pattern]) => pattern.test(sentence)).map(([name]) => name)
}

const tones: [name: string, pattern: RegExp][] = [
  ['swears', /\b(?:fuck\w*|shit\w*|damn|wtf|omfg|hell)\b/],
  ['hm', /^(?:hm+|umm*|uh+|mm+|well)\b/],
  ['agrees', /^(?:yes|yeah|yep|yup|ok|okay|sure|alright|right)\b/],
  ['adds', /^(?:also|and|plus|another)\b/],
]

/** Cues that are the same in every language. */
const anyLanguage = ['questionMark', 'opensList', 'trailsOff', 'names', 'address', 'place']

/** Features of length, emphasis and position. */
function addFormFeatures(found: Features, { text, count }: Sentence, { words, isBare }: OwnFeatures): void {
  found.set('bias', 1)
  found.set('length', Math.min(1, Math.max(0, (Math.log2(words) - 2) / 4)))
  if (words <= 2) found.set('tiny', 1)
  if (words >= 45) found.set('endless', 1)
  // Cannot be understood alone: the rule it states has no subject.
  if (isBare) found.set('bare', 1)
  if (/\b(?:MUST|NEVER|ALWAYS|NOT|ONLY|DON'T|STOP|NO|ALL|EVERY)\b/.test(text)) found.set('shouts', 1)
  if (/!\W*$/.test(text)) found.set('exclaims', 1)
  if (count === 1) found.set('alone', 1)
  if (count > 8) found.set('ofMany', 1)
}

/** Whether the text has three words besides function words, or as many characters as in them. */
function saysSomething(plain: string): boolean {
  const found = new Set<string>()
  for (const [word] of plain.matchAll(/[\p{L}\p{N}_]+/gu)) {
    if (dense.test(word) && word.length >= 5) return true
    if (!stopWords.has(word)) found.add(word)
    if (found.size >= 3) return true
  }
  return false
}

/** Marks the name of a feature that is a word or a pair of words. */
export const phraseMark = '~'

/** The words of a sentence and the pairs of neighbours, with its beginning and its end. */
function phrasesOf(plain: string): Set<string> {
  const words = ['^', ...(plain.match(/[A-Z]{3,}|[a-z']+|[?!:]/g) ?? []).slice(0, maxPhraseWords), '$']
  const found = new Set<string>()
  for (const [index, word] of words.entries()) {
    found.add(`${phraseMark}${word}`)
    if (index > 0) found.add(`${phraseMark}${words[index - 1]} ${word}`)
  }
  return found
}

const maxPhraseWords = 120

/** Features that combine several cues. */
function combine(found: Features): void {
  const is = (...names: string[]) => names.some((name) => found.has(name))
  const isStatement = !is('asks', 'questionMark', 'orders', 'tagQuestion', 'canYou')
  if (isStatement) found.set('states', 1)
  const isRule = is(
    'must',
    'should',
    'never',
    'always',
    'banFirst',
    'ban',
    'noThing',
    'onlyWhen',
    'weDont',
    'notNeeded',
    'isNot',
    'noLonger',
    'lets',
    'weShould',
  )
  if (isRule && is('because', 'soThat', 'whereas')) found.set('reasoned', 1)
  if (isRule && is('plural', 'anyOf', 'allOf')) found.set('general', 1)
  if (isRule && is('names', 'thisThing')) found.set('particular', 1)
  if (
    isStatement &&
    !is('happened', 'goesOn', 'hedge', 'aboutMe', 'here', 'thisThing', 'symptom', 'status', 'weTask', 'names')
  )
    found.set('timeless', 1)
  if (is('banFirst', 'ban', 'stopDoing') && !is('names', 'thisThing', 'here')) found.set('banGeneral', 1)
  if (
    is('exclaims', 'shouts', 'swears') &&
    is('noThing', 'banFirst', 'ban', 'no', 'must', 'never', 'always', 'thisNotThat')
  )
    found.set('insists', 1)
}

/** Languages without spaces have about two characters per word. */
function wordCount(plain: string): number {
  const characters = dense.test(plain) ? plain.match(denseCharacters)!.length : 0
  return plain.split(' ').length + Math.floor(characters / 2)
}

const dense = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/
const denseCharacters = new RegExp(dense, 'g')

const explains = /^(?:that's|it's|this is|they|otherwise|because|since|it |the reason|we |this way|that way|like )/

// Features of the syntax, as far as they show without a parser: the subject, and whether the
// sentence is about what holds, what happened or what is going on. Rules and facts are about a
// thing, in the present tense.

function syntaxFeatures(plain: string): string[] {
  const clause = clauseOf(plain)
  return forms.filter(([, pattern]) => pattern.test(clause)).map(([name]) => name)
}

/** The clause without its introduction. */
function clauseOf(plain: string): string {
  return plain.replace(
    /^(?:(?:no|nope|wrong|actually|but|wait|i (?:really )?(?:think|believe|feel|thought|forgot to (?:tell you|mention|say))(?: that)?|context|note(?: that)?|fyi|remember(?: that)?|because|since|found it|option \w+|[a-d]|it sounds like)[,.:)]* )+/,
    '',
  )
}

/** The subject of the sentence. */
const subjects: Record<string, RegExp> = {
  aboutWe: /^(?:we|we're|we've|we'll|we'd)\b/,
  aboutMe: /^(?:i|i'm|i've|i'd|i'll)\b/,
  aboutYou: /^(?:you|you're|you've)\b/,
  aboutThis: /^(?:it|it's|this|that|that's|these|those|they|they're)\b/,
  aboutThing: /^(?:the|our|their|its|my|a|an|IDENT|CODE|PATH|there|there's)\b/,
}

/** Its tense and mood. */
const tenses: Record<string, RegExp> = {
  holds:
    /^(?:\S+ ){1,6}?(?:is|are|isn't|aren't|has|have|hasn't|don't|doesn't|means?|uses?|returns?|runs?|needs?|requires?|lives?|reads?|writes?|goes|go|comes?|belongs?|contains?|supports?|allows?|accepts?|expects?|handles?|stores?|shares?|owns?|calls?|sends?|fires?|happens?|works?|costs?|keeps?|gets?|depends?|points?|knows?|makes?|breaks?|takes?)\b(?! \w+ing\b)/,
  happened:
    /^(?:\S+ ){0,5}?(?:was|were|did|didn't|had|got|went|saw|ran|broke|(?<!\b(?:is|are|be|been|get|gets|it's|that's|isn't|aren't) (?:\w+ )?)[a-z]*(?:[^e\W]|ee[a-z]+)ed)\b/,
  goesOn: /^(?:\S+ ){0,4}?(?:is|are|am|i'm|we're|it's|you're|they're|isn't|aren't)(?: not| still| just)? [a-z]+ing\b/,
}

const forms = [...Object.entries(subjects), ...Object.entries(tenses)]

// Features of commitment: a rule can be denied, supposed, asked for or reported with the same words
// that others use to state one.

/** Whether the sentence does not claim what it says. */
function isWithheld(plain: string): boolean {
  return denied.test(plain) || supposed.test(plain) || openQuestion.test(plain)
}

const denied =
  /^(?:(?:oh|ok|no|actually|well)[,.]* )*never ?mind\b|\b(?:not saying|never said|didn't say|nobody (?:said|says|claims?)|no one (?:said|says)|not (?:claiming|suggesting|implying)|doesn't mean|don't worry|no (?:rule|law|reason|requirement) (?:that|which))\b/

const supposed =
  /^(?:(?:and|but|so|then) )*(?:suppose|imagine|let's (?:say|assume|suppose|pretend)|say we|what if|assuming)\b/

/** A question that expects an answer; "why aren't we ...?" states a rule. */
const openQuestion = /^(?:should|shall|do|does|did|must|may|are|is|will) (?:we|i|it|they|you|this|that|the)\b.*\?\W*$/

/** Something that may be done one day is not a decision. */
function isHypothetical(plain: string): boolean {
  return /\b(?:we|you|i|one|they) could\b|\b(?:some ?day|one day|at some point|maybe later|later on)\b|\bif we (?:ever|were to|wanted)\b/.test(
    plain,
  )
}

// Explicit speech acts: sentences that say themselves that they are a decision, a habit, a
// convention, a location or a cause. They pass whatever other features they have, so people must
// hardly use the form for anything else.

interface SpeechAct {
  kind: MemoryKind
  form: RegExp
}

/** The first form that matches, in lower case and without the opening words. */
function speechActOf(plain: string): MemoryKind | undefined {
  if (plain.length > maxSpeechActLength || asksOrGuesses.test(plain)) return undefined
  const statement = withoutRequest(plain)
  const act = speechActs.find(({ form }) => form.test(statement))?.kind
  return act ?? (statement === plain ? undefined : 'fact')
}

const maxSpeechActLength = 300
const asksOrGuesses =
  /\?\s*$|^(?:if|when|what|why|how|should|can|could|would|do|does|is|are)\b|\b(?:maybe|perhaps|might|i think|i guess|not sure|i wonder|for now)\b/

/** The act that the cues of another language show. */
function foreignActOf(found: Features): MemoryKind | undefined {
  const is = (...names: string[]) => names.some((name) => found.has(name))
  if (is('questionMark', 'canYou', 'hedge', 'asks')) return undefined
  if (is('useInstead') || (is('no') && is('refuted', 'isNot'))) return 'correction'
  if (is('decided', 'switched')) return 'decision'
  return is('fromNowOn', 'prefer') ? 'preference' : undefined
}

const speechActs: SpeechAct[] = [
  { kind: 'preference', form: /^(?:and |so |ok,? )?(?:from now on|going forward|in (?:the )?future|henceforth)\b/ },
  {
    kind: 'preference',
    form: /^(?:please )?(?:use|write|run|put|call|name|keep|add|answer|reply|commit|ask)\b.{2,120}\b(?:from now on|going forward|in (?:the )?future|every time)[.!]?$/,
  },
  // Answers to what the agent has just done. A pronoun or an article means a thing of this task.
  {
    kind: 'correction',
    form: /^(?:no,? )(?:please )?(?:always )?use (?!(?:the|this|that|these|those|it|its|an?|my|your|our|both|all|what|which|one|same|only|more|less|other|another|instead)\b)[\w@.+-]+(?: [\w@.+-]+){0,2}(?: (?:again|instead|not|for|in|instead of|rather than)(?: [\w@.+-]+){0,4})?[.!]?$/,
  },
  {
    kind: 'correction',
    form: /^(?:please )?use (?!(?:the|this|that|these|those|it|its|an?|my|your|our)\b)[\w@.+-]+(?: [\w@.+-]+){0,2} (?:instead of|rather than) [\w@.+-]+(?: [\w@.+-]+){0,3}[.!]?$/,
  },
  {
    kind: 'decision',
    form: /^(?:actually,? |no,? |ok,? |please )*(?:let's |we (?:should |will )?)?(?:go|switch|change|move) back to (?!(?:the|this|that|it|an?|work|what|where|main|master)\b)[\w@.+-]+[.!]?$/,
  },
  { kind: 'preference', form: /^(?:you|we) (?:can|may|should) (?:use|run|write|add) [\w@.+ -]{2,40} again[.!]?$/ },
  { kind: 'decision', form: /\bwe(?:'ve| have)? (?:decided|agreed|chose|settled)\b(?! (?:if|whether))/ },
  {
    kind: 'decision',
    form: /\bwe(?:'re| are| will| won't|'ll) (?:no longer|not going to|dropping|going with|only going to) /,
  },
  {
    kind: 'preference',
    form: /^i(?:'d)? (?:prefer|rather|always want|never want|don't (?:ever )?want you to|hate it when|like it when|want you to always)\b/,
  },
  {
    kind: 'preference',
    form: /^(?:please,? )?(?:always|never) (?!(?:mind|seen|saw|heard|got|been|gets?|happens?|fails?|works?)\b)[a-z]+ \S/,
  },
  { kind: 'preference', form: /^(?:please )?(?:make sure|be sure|remember)(?: that)? (?:you |to )?(?:always|never)\b/ },
  {
    kind: 'preference',
    form: /^(?:please )?stop (?:using|writing|adding|making|putting|doing|committing|creating|saying|asking)\b/,
  },
  {
    kind: 'decision',
    form: /\bwe (?:use|write|run|keep|store|deploy|support|target|ship|build) [\w./@+-]+(?: [\w./@+-]+){0,3},? (?:not|never|instead of|rather than) /,
  },
  {
    kind: 'decision',
    form: /\bin (?:this|our) (?:repo|repository|project|codebase|team|company|code base),? (?:we|all|every|everything|nothing|nobody|you)\b/,
  },
  {
    kind: 'correction',
    form: /^no,? (?:it's|that's|the|it|this|we|they|our|you)\b.{3,200}\b(?:not|never|instead of|rather than|isn't|aren't|doesn't)\b/,
  },
  { kind: 'operational', form: /^(?:to|in order to) \w+.{3,120},? (?:you|we) (?:need|have|must)\b/ },
  {
    kind: 'debugging',
    form: /\b(?:bug|error|issue|problem|failure|crash|culprit|root cause|reason) (?:was|is|turned out to be) (?:caused by|because|that we|due to)\b/,
  },
  {
    kind: 'fact',
    form: /\b(?:server|database|db|api|dashboard|docs?|documentation|registry|cluster|bucket|repo|board|channel|host|instance|environment) (?:is|are|runs?|lives?|can be found) (?:at|on|under|in) [`"']?(?:https?:|[\w-]+\.[\w./-]+|\/[\w./-]+|~\/|port \d)/,
  },
  {
    kind: 'decision',
    form: /^(?:all |our |the )?(?:commit messages?|commits|branches|branch names?|pull requests|prs|tests?|file names|variables|migrations|endpoints|releases|error messages?|log messages?|comments) (?:should|must|have to|need to|are to|always|never|shall)\b/,
  },
]
