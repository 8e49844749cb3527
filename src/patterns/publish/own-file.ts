// A file that is ours as a whole: a skill, or a rule of an agent that takes a file for each. A seal in its last line says so,
// and whether a person has written in it since: then it is theirs.
import { type Placed, sealOf } from './block.ts'

export function putFile(text: string | undefined, content: string): Placed {
  const sealed = `${content.trim()}\n\n${sealLine(content)}\n`
  if (text === undefined) return { kind: 'placed', text: sealed }
  const state = stateOf(text)
  if (state !== 'ours') return { kind: 'refused', reason: reasons[state] }
  // The line ends that git gave it are as good as ours.
  return { kind: 'placed', text: sealOf(text) === sealOf(sealed) ? text : sealed }
}

export function removeFile(text: string): Placed {
  const state = stateOf(text)
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

function stateOf(text: string): 'ours' | 'edited' | 'theirs' {
  const found = seal.exec(text)
  if (!found) return 'theirs'
  return sealOf(text.replace(seal, '')) === found[1] ? 'ours' : 'edited'
}

function sealLine(content: string): string {
  return `<!-- recollect:practices file hash=${sealOf(content)} -->`
}
