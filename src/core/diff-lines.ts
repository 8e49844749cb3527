// The change that a tool call makes to files, as lines: from the names that agents use in the input
// of their editing tools, or from a patch.
import type { Json } from './session.ts'

export interface DiffLine {
  kind: 'add' | 'del' | 'hunk' | 'same'
  text: string
}

/** Longer changes are cut; the files themselves are elsewhere. */
const maxLines = 400

/** Empty if the input does not contain the change. */
export function diffLinesOf(input: Json | undefined): DiffLine[] {
  const lines = typeof input === 'string' ? patchLines(input) : isRecord(input) ? linesOfRecord(input) : []
  if (lines.length <= maxLines) return lines
  return [...lines.slice(0, maxLines), { kind: 'hunk', text: `… ${lines.length - maxLines} more lines` }]
}

/** The new lines of a change, without their signs. */
export function addedText(input: Json | undefined): string {
  const lines = diffLinesOf(input).filter(({ kind }) => kind === 'add')
  return lines.map(({ text }) => text.slice(1)).join('\n')
}

function isRecord(input: Json | undefined): input is Record<string, Json | undefined> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

function linesOfRecord(input: Record<string, Json | undefined>): DiffLine[] {
  const patch = firstText(input, ['patch', 'patchText', 'diff', 'input'])
  if (patch !== undefined && isPatch(patch)) return patchLines(patch)
  const before = firstText(input, ['old_string', 'oldString', 'old_str', 'old_text', 'oldText'])
  const after = firstText(input, ['new_string', 'newString', 'new_str', 'new_text', 'newText'])
  if (before !== undefined || after !== undefined) return replacement(before ?? '', after ?? '')
  const edits = input.edits
  if (Array.isArray(edits)) return edits.flatMap((edit) => (isRecord(edit) ? linesOfRecord(edit) : []))
  const isWrite = firstText(input, ['file_path', 'filePath', 'path', 'absolute_path', 'filename']) !== undefined
  const content = firstText(input, ['content', 'contents', 'file_text', 'fileText'])
  return isWrite && content !== undefined ? marked('add', content) : []
}

function firstText(input: Record<string, Json | undefined>, names: readonly string[]): string | undefined {
  return names.map((name) => input[name]).find((value) => typeof value === 'string') as string | undefined
}

function isPatch(text: string): boolean {
  return /^(?:\*\*\* (?:Begin Patch|Add File|Update File|Delete File)|--- |diff --git |@@ )/m.test(text)
}

function patchLines(text: string): DiffLine[] {
  if (!isPatch(text)) return []
  return text
    .split('\n')
    .filter((line) => !/^\*\*\* (?:Begin|End) Patch/.test(line))
    .map((line) => ({ kind: patchKind(line), text: line }))
}

function patchKind(line: string): DiffLine['kind'] {
  if (/^(?:\+\+\+|---|@@|\*\*\*|diff |index )/.test(line)) return 'hunk'
  if (line.startsWith('+')) return 'add'
  return line.startsWith('-') ? 'del' : 'same'
}

/** Lines that both begin or both end with are shown as unchanged. */
function replacement(before: string, after: string): DiffLine[] {
  const [from, to] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < Math.min(from.length, to.length) && from[start] === to[start]) start++
  let end = 0
  while (end < Math.min(from.length, to.length) - start && from.at(-1 - end) === to.at(-1 - end)) end++
  return [
    ...from.slice(0, start).map(same),
    ...marked('del', from.slice(start, from.length - end).join('\n')),
    ...marked('add', to.slice(start, to.length - end).join('\n')),
    ...to.slice(to.length - end).map(same),
  ]
}

function same(text: string): DiffLine {
  return { kind: 'same', text: ` ${text}` }
}

function marked(kind: 'add' | 'del', text: string): DiffLine[] {
  if (text === '') return []
  const sign = kind === 'add' ? '+' : '-'
  return text.split('\n').map((line) => ({ kind, text: `${sign}${line}` }))
}
