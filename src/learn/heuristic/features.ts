// A sentence as numbers: which cues it has, how it is built, and how the agent took it.
import { answerCues, cues } from './cues.ts'
import { foreignCues } from './cues-foreign.ts'
import { syntaxFeatures } from './form.ts'
import { withoutOpening } from './plain.ts'
import type { Sentence } from './sentences.ts'
import { speechActOf } from './speech-acts.ts'
import { isHypothetical, isWithheld } from './stance.ts'

export interface MessageContext {
  before: string
  after: string
  hasPaste: boolean
}

export type Features = Map<string, number>

const cueList = Object.entries(cues)
const answerCueList = Object.entries(answerCues)

/** What stands around the whole message, the same for each of its sentences. */
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
  const plain = withoutOpening(sentence.plain)
  for (const [name, pattern] of cueList) if (pattern.test(plain)) found.set(name, 1)
  if (!english.test(plain)) for (const [name, pattern] of foreignCues) if (pattern.test(plain)) found.set(name, 1)
  for (const name of syntaxFeatures(plain)) found.set(name, 1)
  if (isWithheld(plain)) found.set('withheld', 1)
  const act = speechActOf(plain)
  if (act) found.set(`outright ${act}`, 1)
  if (isHypothetical(plain)) found.set('hypothetical', 1)
  const words = wordCount(plain)
  found.set('bias', 1)
  found.set('length', Math.min(1, Math.max(0, (Math.log2(words) - 2) / 4)))
  if (words <= 2) found.set('tiny', 1)
  if (words >= 45) found.set('endless', 1)
  combine(found)
  const is = (...names: string[]) => names.some((name) => found.has(name))
  if (next !== undefined && explains.test(next.plain)) found.set('explainedNext', 1)
  if (/\b(?:MUST|NEVER|ALWAYS|NOT|ONLY|DON'T|STOP|NO|ALL|EVERY)\b/.test(sentence.text)) found.set('shouts', 1)
  if (/!\W*$/.test(sentence.text)) found.set('exclaims', 1)
  if (/\b(?:fuck\w*|shit\w*|damn|wtf|omfg|hell)\b/.test(sentence.plain)) found.set('swears', 1)
  if (/^(?:hm+|umm*|uh+|mm+|well)\b/.test(sentence.plain)) found.set('hm', 1)
  if (
    is('exclaims', 'shouts', 'swears') &&
    is('noThing', 'banFirst', 'ban', 'no', 'must', 'never', 'always', 'thisNotThat')
  )
    found.set('insists', 1)
  if (sentence.count === 1) found.set('alone', 1)
  if (sentence.count > 8) found.set('ofMany', 1)
  if (/^(?:yes|yeah|yep|yup|ok|okay|sure|alright|right)\b/.test(sentence.plain)) found.set('agrees', 1)
  if (/^(?:also|and|plus|another)\b/.test(sentence.plain)) found.set('adds', 1)
  return found
}

/** What cues mean only together. */
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
}

/** Languages without spaces have about two characters a word. */
function wordCount(plain: string): number {
  const dense = plain.match(/[\u3040-\u30ff\u3400-\u9fff]/g)?.length ?? 0
  return plain.split(' ').length + Math.floor(dense / 2)
}

const explains = /^(?:that's|it's|this is|they|otherwise|because|since|it |the reason|we |this way|that way|like )/

/** Words that nearly every English sentence has one of, and that mean nothing in the languages of cues-foreign.ts. */
const english = /\b(?:the|to|is|it|and|you|we|of|for|that|this|with|are|be|not|should|don't|our|my|please|i)\b/
