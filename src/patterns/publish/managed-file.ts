// Writes and removes files that are ours as a whole: skills and rule files. A seal in the last line
// marks them and detects edits; an edited file belongs to the person.
import { type FileUpdate, sealOf } from './block.ts'

export function putManagedFile(text: string | undefined, content: string): FileUpdate {
  const sealed = `${content.trim()}\n\n${sealLine(content)}\n`
  if (text === undefined) return { kind: 'placed', text: sealed }
  const state = managedState(text)
  if (state !== 'ours') return { kind: 'refused', reason: reasons[state] }
  // Ignores line ends changed by git.
  return { kind: 'placed', text: sealOf(text) === sealOf(sealed) ? text : sealed }
}

export function removeManagedFile(text: string): FileUpdate {
  const state = managedState(text)
  if (state === 'edited') return { kind: 'refused', reason: reasons.edited }
  return { kind: 'placed', text: state === 'ours' ? undefined : text }
}

export function isSealed(text: string): boolean {
  return seal.test(text)
}

const seal = /(?<=^|\n)<!-- recollect:practices file hash=([0-9a-f]{8}) -->[ \t]*(?=\r?\n|$)/

const reasons = {
  edited: 'the file was changed since it was published',
  theirs: 'there is a file of this name already',
}

function managedState(text: string): 'ours' | 'edited' | 'theirs' {
  const found = seal.exec(text)
  if (!found) return 'theirs'
  return sealOf(text.replace(seal, '')) === found[1] ? 'ours' : 'edited'
}

function sealLine(content: string): string {
  return `<!-- recollect:practices file hash=${sealOf(content)} -->`
}
