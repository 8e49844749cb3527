// Whether two memories say the same so surely that one of them is enough. Admission is more generous: there, what is counted was
// just said; here two memories that both stood would become one without anybody looking.
import type { Memory } from '../../core/memory.ts'
import { compare } from '../admission/compare.ts'
import { type Content, contentOf, likeness, sharedOf } from '../admission/words.ts'
import type { Pair } from './pairs.ts'

/** How much of the words of both has to be common to both. */
export const leastLikeness = 0.8

export function sayTheSame([later, earlier]: Pair): boolean {
  if (later.memory.status !== earlier.memory.status) return false
  const [a, b] = [later.memory.text, earlier.memory.text]
  if (plain(a) === plain(b)) return true
  return (
    compare(a, b).kind === 'same' &&
    compare(b, a).kind === 'same' &&
    likeness(later.content, earlier.content) >= leastLikeness &&
    sameSet(later.content.values, earlier.content.values) &&
    sameSet(turnsOf(a), turnsOf(b)) &&
    (isInOrder(a, b) || !(hasDirection(a) || hasDirection(b)))
  )
}

/** What a person said or wrote gives way only to later words of a person; an agent's to anybody of as much weight. */
export function mayTakePlace(keeper: Memory, gone: Memory): boolean {
  // What is private stays private: it is not counted by what may leave the machine.
  if ((keeper.type === 'user') !== (gone.type === 'user')) return false
  if (isPersons(gone)) return keeper.trust === 'user said' && keeper.validFrom >= gone.validFrom
  return weights[keeper.trust] >= weights[gone.trust]
}

export function isPersons({ trust, evidence }: Memory): boolean {
  return trust === 'user said' || trust === 'imported' || evidence.some(({ session }) => session === null)
}

const weights = { 'user said': 3, imported: 2, 'agent said': 1, 'tool printed': 0 } as const

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s.!。]+$/u, '')
    .replace(/\s+/g, ' ')
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && sharedOf(a, b) === a.size
}

/** Small words that say how far a statement goes, which the comparison of words leaves out. */
export function turnsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(turning) ?? [])
}

const turning =
  /\b(?:only|all|any|some|every|each|most|more|less|least|once|twice|first|last|may|might|must|can|could|should|need|over|under|if|unless|when|while|until|except|without|with|but|before|after|in|out|on|off|up|down|no|not|never|nur|alle|jede[rsn]?|immer|muss|kann|soll|wenn|außer|ohne|mit|vor|nach|bis)\b/g

function hasDirection(text: string): boolean {
  return /\b(?:from|to|into|onto|before|after|than|over|under|then|first|instead|until|by|with|for|of|von|zu[mr]?|nach|vor|statt|->|=>)\b|[→<>]/i.test(
    text,
  )
}

/** Whether the words that carry the shorter one stand in the longer one in the same order. */
function isInOrder(a: string, b: string): boolean {
  const [short, long] = [sequenceOf(a), sequenceOf(b)].sort((x, y) => x.length - y.length)
  let at = 0
  for (const word of long!) if (word === short![at]) at++
  return at === short!.length
}

function sequenceOf(text: string): string[] {
  return text.split(/\s+/).flatMap((word) => everyWord(contentOf(word)))
}

export function everyWord({ words, values }: Content): string[] {
  return [...words, ...values]
}
