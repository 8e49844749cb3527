// The frame of what agents are given: names in its attributes, such as titles, paths and branches, are
// chosen by whoever controls a repository or a conversation, so they pass the gate, too.
import { wrapEvidence as wrap } from '../core/injected-text.ts'
import { directsInWords } from './directions.ts'

export { evidenceNotice } from '../core/injected-text.ts'

export function wrapEvidence(source: Record<string, string | number | null>, text: string): string {
  const told = Object.entries(source).map(([name, value]) => [
    name,
    typeof value === 'string' ? tellName(value) : value,
  ])
  return wrap(Object.fromEntries(told), text)
}

/** A title, a path, a branch, a project: '…' if its words direct their reader. */
export function tellName(name: string): string {
  return directsInWords(name) ? '…' : name
}
