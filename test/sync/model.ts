// What must be true in the end, whatever happened on the way. The model follows what people did, not how it travelled.
import type { Memory } from '../../src/memory/memory.ts'
import { isPrivate } from '../../src/sync/privacy.ts'
import type { TestMachine } from './machines.ts'

export interface Model {
  /** Which world it is of: words of others are never mistaken for one of it. */
  number: number
  count: number
  /** Every word that anybody has written; whoever takes one away has seen it. */
  words: Map<string, Word>
  /** Memories that somebody forgot and nobody brought back since, and where that was. */
  forgotten: Map<string, string>
  /** Where memories were brought back; one that is forgotten here while it is brought back elsewhere may be either. */
  broughtBack: Map<string, Set<string>>
  /** Words that were in something that may leave its machine. */
  open: Set<string>
}

interface Word {
  isRetired: boolean
  /** Forgotten where it was last seen, and not brought back. */
  isForgotten: boolean
  /** Said by more than one: one of them may forget it while it holds for the other. */
  isSaidByMany: boolean
}

export function newModel(number: number): Model {
  return { number, count: 0, words: new Map(), forgotten: new Map(), broughtBack: new Map(), open: new Set() }
}

/** No two have anything in common that would make one contradict the other. */
export function newWords(model: Model): string {
  const word = `w${model.number}x${++model.count}q`
  model.words.set(word, { isRetired: false, isForgotten: false, isSaidByMany: false })
  return word
}

export function wordsIn(text: string): string[] {
  return text.match(/\bw\d+x\d+q\b/g) ?? []
}

/** A person has changed a memory from one thing to another, here. */
export function noteChange(
  model: Model,
  { name, context }: TestMachine,
  before: Memory | undefined,
  after: Memory | undefined,
): void {
  const was = before && before.state !== 'forgotten' ? before : undefined
  const is = after && after.state !== 'forgotten' ? after : undefined
  if (was && was.text !== is?.text) model.words.get(was.text)!.isRetired = true
  // What is private on one machine is forgotten on that one.
  if (was && !is && isTheirOwn(was) && !isPrivate(context.config, was)) {
    model.forgotten.set(was.id, name)
    model.words.get(was.text)!.isForgotten = true
  }
  if (!is) return
  if (!isPrivate(context.config, is)) model.open.add(is.text)
  const isOpenAgain = was !== undefined && isPrivate(context.config, was)
  if (isOpenAgain || was?.text !== is.text) model.words.get(is.text)!.isForgotten = false
  if (!isOpenAgain && (before === undefined || was)) return
  model.forgotten.delete(is.id)
  model.broughtBack.set(is.id, (model.broughtBack.get(is.id) ?? new Set()).add(name))
}

/** Whether nobody can have brought it back. */
export function isForgotten({ forgotten, broughtBack }: Model, id: string): boolean {
  const where = forgotten.get(id)
  return where !== undefined && [...(broughtBack.get(id) ?? [])].every((name) => name === where)
}

/** What others show in a space is not this person's to forget. */
function isTheirOwn({ id, space }: Memory): boolean {
  return space === null || id.startsWith(teamPrefix)
}

/** Of memories that were made in the space of the team. */
export const teamPrefix = 'm-team-'
