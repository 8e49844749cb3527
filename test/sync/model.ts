// The expected result of a simulation. The model records what users did and ignores how changes were
// transferred.
import type { Memory } from '../../src/memory/memory.ts'
import { isPrivate } from '../../src/sync/privacy.ts'
import type { TestMachine } from './machines.ts'

export interface Model {
  /** Number of the simulation; part of every word, so that words of simulations differ. */
  number: number
  count: number
  /** All words that a user has written. */
  words: Map<string, Word>
  /** Memories that were forgotten and not restored since, with the machine. */
  forgotten: Map<string, string>
  /**
   * Machines on which memories were restored. A memory that is forgotten on one machine and restored
   * on another at the same time may end up in either state.
   */
  broughtBack: Map<string, Set<string>>
  /** Words that were in a memory that may be synced. */
  open: Set<string>
}

interface Word {
  isRetired: boolean
  /** Forgotten where it was last seen, and not restored. */
  isForgotten: boolean
  /** Written by several users: one of them may forget it while another keeps it. */
  isSaidByMany: boolean
}

export function newModel(number: number): Model {
  return { number, count: 0, words: new Map(), forgotten: new Map(), broughtBack: new Map(), open: new Set() }
}

/** Creates a word that has nothing in common with others, so that no two contradict each other. */
export function newWords(model: Model): string {
  const word = `w${model.number}x${++model.count}q`
  model.words.set(word, { isRetired: false, isForgotten: false, isSaidByMany: false })
  return word
}

export function wordsIn(text: string): string[] {
  return text.match(/\bw\d+x\d+q\b/g) ?? []
}

/** Records that a user changed a memory on a machine. */
export function noteChange(
  model: Model,
  { name, context }: TestMachine,
  before: Memory | undefined,
  after: Memory | undefined,
): void {
  const was = before && before.state !== 'forgotten' ? before : undefined
  const is = after && after.state !== 'forgotten' ? after : undefined
  if (was && was.text !== is?.text) model.words.get(was.text)!.isRetired = true
  // A private memory is forgotten on its machine only.
  if (was && !is && isTheirOwn(was) && !isPrivate(context, was)) {
    model.forgotten.set(was.id, name)
    model.words.get(was.text)!.isForgotten = true
  }
  if (!is) return
  if (!isPrivate(context, is)) model.open.add(is.text)
  const isOpenAgain = was !== undefined && isPrivate(context, was)
  if (isOpenAgain || was?.text !== is.text) model.words.get(is.text)!.isForgotten = false
  if (!isOpenAgain && (before === undefined || was)) return
  model.forgotten.delete(is.id)
  model.broughtBack.set(is.id, (model.broughtBack.get(is.id) ?? new Set()).add(name))
}

/** Whether it was forgotten and no other machine has restored it. */
export function isForgotten({ forgotten, broughtBack }: Model, id: string): boolean {
  const where = forgotten.get(id)
  return where !== undefined && [...(broughtBack.get(id) ?? [])].every((name) => name === where)
}

/** Memories that others share cannot be forgotten by this user. */
function isTheirOwn({ id, space }: Memory): boolean {
  return space === null || id.startsWith(teamPrefix)
}

/** Begins the ids of memories that were created in the space of the team. */
export const teamPrefix = 'm-team-'
