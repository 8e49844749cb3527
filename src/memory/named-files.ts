// Recognises files in statements: `src/queue.ts`, `queue.ts`.
import type { Memory } from './memory.ts'

/** Paths and names of files in a text, each once. */
export function filesIn(text: string): string[] {
  return [...new Set((text.match(fileName) ?? []).map((name) => name.replace(/^(?:\.\/)+/, '')))]
}

const fileName =
  /(?<![\w@:/.-])(?:[\w@~.+-]+\/)*[\w@+-][\w@.+-]*\.(?!(?:com|org|net|io|dev|js\b\s+(?:is|app)))[a-z]\w{0,5}(?![\w/])/g

/** Files that a memory is about, as it names them. */
export function filesOfMemory({ text, why, apply }: Pick<Memory, 'text' | 'why' | 'apply'>): string[] {
  return filesIn([text, why ?? '', apply ?? ''].join('\n'))
}

/** Whether a name in a statement means the file at `path`, which is relative to the project. */
export function namesFile(name: string, path: string): boolean {
  if (name === path) return true
  if (!path.endsWith(`/${name}`)) return false
  return !isCommonName(name)
}

/** Names that many folders have mean the one in the root. */
export function isCommonName(name: string): boolean {
  return isCommon.test(name)
}

const isCommon = /^(?:index|main|mod|lib|init|__init__|utils?|types?|config|constants|readme|package|setup|test|app)\./i
