// Asks a person which of two contradicting memories to keep.
import { UserError } from '../../core/errors.ts'
import type { MemoryInput } from '../../learn/change.ts'
import type { Memory } from '../../memory/memory.ts'
import { shortLine } from '../../text/truncate.ts'

export type ContradictionChoice = 'new' | 'old' | 'both'

/** Asks until the answer is one of the keys; undefined if the input ends. */
export async function askAboutContradiction(
  old: readonly Memory[],
  say: (text: string) => void,
  ask: (question: string) => Promise<string | undefined>,
): Promise<ContradictionChoice | undefined> {
  say(`It contradicts ${old.length === 1 ? 'a memory' : `${old.length} memories`}:`)
  for (const { id, validFrom, text } of old) say(`  ${id} (${validFrom.slice(0, 10)}): ${shortLine(text, 120)}`)
  for (;;) {
    const answer = await ask('Keep the [n]ew one, the [o]ld one or [b]oth? ')
    if (answer === undefined) return undefined
    const choice = choices.find((one) => one === answer.trim().toLowerCase() || one[0] === answer.trim().toLowerCase())
    if (choice) return choice
    say('Unknown answer. Type n, o or b.')
  }
}

const choices: readonly ContradictionChoice[] = ['new', 'old', 'both']

/** What to remember after the choice; undefined if the old memory stays alone. */
export function inputAfter(
  choice: ContradictionChoice,
  input: MemoryInput,
  [old, ...others]: readonly Memory[],
): MemoryInput | undefined {
  switch (choice) {
    case 'new':
      // Admission supersedes several only if it is sure about each.
      return old && others.length === 0 ? { ...input, supersedes: old.id } : input
    case 'old':
      return undefined
    case 'both':
      return { ...input, keepsBoth: true }
    default:
      return choice satisfies never
  }
}

/** The two options give opposite answers to the question. */
export function checkContradictionOptions({ supersedes, keepBoth }: { supersedes?: string; keepBoth?: boolean }): void {
  if (supersedes !== undefined && keepBoth)
    throw new UserError('--supersedes and --keep-both cannot be combined', 'Remove one of them.')
}
