// Splits an event into pieces, the units of an answer: a paragraph of a prompt or a reply, a command,
// the beginning of an error, the new text of an edit. A piece is found, ranked and told as a whole.
import { commandOf, pathsOf } from '../core/commands.ts'
import { diffLinesOf } from '../core/diff-lines.ts'
import { personWords } from '../store/search/person-words.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { truncate } from '../text/truncate.ts'

export interface EventPiece {
  kind: 'said' | 'replied' | 'ran' | 'failed' | 'edited'
  text: string
  /** Of an edit. */
  path?: string
}

/** Longer paragraphs are split between lines or sentences. */
const maxLength = 600
/** What follows in a longer message is a paste. */
const maxRead = 20_000
const maxError = 600

/** Paths below `cwd` are told relative to it. */
export function piecesOf(event: StoredEvent, cwd: string | null): EventPiece[] {
  const pieces = rawPieces(event)
  if (!cwd || cwd.length < 4) return pieces
  const own = (text: string) => text.replaceAll(`${cwd}/`, '').replaceAll(`${cwd}\\`, '')
  return pieces.map((piece) => ({
    ...piece,
    text: own(piece.text),
    ...(piece.path === undefined ? {} : { path: own(piece.path) }),
  }))
}

function rawPieces(event: StoredEvent): EventPiece[] {
  const words = personWords(event)
  if (words !== '') return paragraphs(words).map((text) => ({ kind: 'said', text }))
  switch (event.kind) {
    case 'prompt':
    case 'command':
      return paragraphs(event.text).map((text) => ({ kind: 'said', text }))
    case 'reply':
      return paragraphs(event.text)
        .filter((text) => !isNarration(text))
        .map((text) => ({ kind: 'replied', text }))
    case 'shell':
      return [{ kind: 'ran', text: event.text.trim() }]
    case 'tool_call':
      return calledPieces(event)
    case 'error':
    case 'tool_result':
    case 'test_run': {
      const isFailure = event.kind === 'error' || event.error === 'failed' || event.exit
      const text = isFailure ? truncate(event.text.trim(), maxError) : ''
      return text === '' ? [] : [{ kind: 'failed', text }]
    }
    default:
      return []
  }
}

function calledPieces({ input }: StoredEvent): EventPiece[] {
  const command = commandOf(input).trim()
  const added = addedLines(input)
  if (added.length > 0) return added
  return command === '' ? [] : [{ kind: 'ran', text: command }]
}

/** The new lines of each changed place, in one piece per file. */
function addedLines(input: StoredEvent['input']): EventPiece[] {
  let [path = ''] = pathsOf(input)
  const byPath = new Map<string, string[]>()
  for (const { kind, text } of diffLinesOf(input)) {
    path = /^(?:\*\*\* (?:Update|Add) File: |\+\+\+ (?:b\/)?)(\S.*)$/.exec(text)?.[1]?.trim() ?? path
    if (kind !== 'add' || path === '') continue
    const lines = byPath.get(path) ?? []
    byPath.set(path, lines)
    lines.push(text.slice(1))
  }
  return [...byPath].flatMap(([of, lines]) =>
    chunks(lines.join('\n').slice(0, maxRead)).map((text) => ({ kind: 'edited' as const, text, path: of })),
  )
}

/**
 * Separated by blank lines outside of code blocks. A heading, and a line that ends in a colon, stays
 * with what follows it.
 */
export function paragraphs(text: string): string[] {
  const found: string[] = []
  let lines: string[] = []
  let isCode = false
  const close = () => {
    const block = lines.join('\n').trim()
    lines = []
    if (block !== '') found.push(block)
  }
  for (const line of text.slice(0, maxRead).split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    if (line.trim() === '' && !isCode) {
      const last = lines.findLast((one) => one.trim() !== '') ?? ''
      if (!introduces(last)) close()
      continue
    }
    lines.push(line.trimEnd())
  }
  close()
  return found.flatMap(chunks)
}

function introduces(line: string): boolean {
  return /^#{1,6}\s|^\*\*[^*]+\*\*:?$|:$/.test(line.trim())
}

function chunks(block: string): string[] {
  if (block.length <= maxLength) return [block]
  const parts: string[] = []
  let current = ''
  for (const part of block.split(/(?<=\n)|(?<=[.!?]["')\]]?\s)|(?<=[。！？])/)) {
    if (current !== '' && current.length + part.length > maxLength) {
      parts.push(current)
      current = ''
    }
    current += part
    while (current.length > maxLength) {
      parts.push(truncate(current, maxLength))
      current = current.slice(parts.at(-1)!.length)
    }
  }
  return [...parts, current].map((part) => part.trim()).filter((part) => part !== '')
}

/** What an agent announces before it acts says nothing that its act does not say. */
export function isNarration(paragraph: string): boolean {
  return paragraph.length < maxNarration && narrates.test(paragraph)
}

const maxNarration = 260
const narrates =
  /^(?:(?:now|next|first|then|ok(?:ay)?|good|great|perfect|excellent|sure|right|alright|hmm|wait|actually|also|and)[,.!:]?\s+)*(?:let me|let's|i'll|i will|i'm going to|i am going to|i need to|i should|i'm (?:now )?\w+ing|looking|checking|reading|running|going|moving|perfect\b|great\b|excellent\b|now (?:i|let|the|for|to|we|update|add|run|check)\b|good[,.!])/i
