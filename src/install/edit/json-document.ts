// Parses JSON settings files with comments, trailing commas and a byte order mark. Every node has
// its offsets, so that an edit can be an insertion that leaves all other bytes unchanged.
import { printParseErrorCode, visit } from 'jsonc-parser'
import type { JsonExtension } from '../../agents/agent.ts'
import { UserError } from '../../core/errors.ts'
import type { Json } from '../../core/session.ts'

export interface JsonDocument {
  /** Undefined in an empty file. */
  root: JsonNode | undefined
  comments: JsonComment[]
}

interface Span {
  start: number
  end: number
}

interface JsonComment extends Span {
  isLine: boolean
}

export type JsonNode = JsonContainer | (Span & { kind: 'scalar'; value: null | boolean | number | string })

export interface JsonContainer extends Span {
  kind: 'list' | 'object'
  elements: JsonElement[]
}

/** An item of a list or a member of an object, from its key to the end of its value. */
export interface JsonElement extends Span {
  key: string | undefined
  value: JsonNode
  /** Offset of the comma after it. */
  comma: number | undefined
}

export function parseJson(text: string, path: string): JsonDocument {
  const comments: JsonComment[] = []
  const open: JsonContainer[] = []
  let root: JsonNode | undefined
  let property: { key: string; start: number } | undefined
  // jsonc-parser does not accept a byte order mark; offsets here include it.
  const shift = text.startsWith('\uFEFF') ? 1 : 0

  visit(
    text.slice(shift),
    {
      onObjectBegin: (offset) => beginContainer('object', offset),
      onArrayBegin: (offset) => beginContainer('list', offset),
      onObjectEnd: endContainer,
      onArrayEnd: endContainer,
      onObjectProperty: (key, offset) => {
        property = { key, start: offset + shift }
      },
      onLiteralValue: (value: null | boolean | number | string, offset, length) => {
        const start = offset + shift
        addValue({ kind: 'scalar', value, start, end: start + length })
      },
      onSeparator: (character, offset) => {
        if (character === ',') open.at(-1)!.elements.at(-1)!.comma = offset + shift
      },
      onComment: (offset, length) => {
        const start = offset + shift
        comments.push({ start, end: start + length, isLine: text[start + 1] === '/' })
      },
      onError: (code, offset) => {
        const at = offset + shift
        throw invalidJson(text, path, at, at < text.length ? printParseErrorCode(code) : 'EndOfFile')
      },
    },
    { allowTrailingComma: true, allowEmptyContent: true },
  )
  return { root, comments }

  function beginContainer(kind: JsonContainer['kind'], offset: number): void {
    const container: JsonContainer = { kind, start: offset + shift, end: 0, elements: [] }
    addValue(container)
    open.push(container)
  }

  function endContainer(offset: number, length: number): void {
    const container = open.pop()!
    container.end = offset + shift + length
    const element = open.at(-1)?.elements.at(-1)
    if (element) element.end = container.end
  }

  function addValue(value: JsonNode): void {
    const parent = open.at(-1)
    const { key, start } = property ?? { key: undefined, start: value.start }
    property = undefined
    if (parent) parent.elements.push({ key, value, start, end: value.end, comma: undefined })
    else root = value
  }
}

/** Throws if the text has something that the agent rejects. */
export function requireReadable(text: string, path: string, rejects: readonly JsonExtension[]): void {
  const { root, comments } = parseJson(text, path)
  const places = { comment: comments[0]?.start, 'trailing comma': root && trailingComma(root) }
  const found = rejects.find((what) => places[what] !== undefined)
  if (!found) return
  throw new UserError(
    `${path}:${lineColumn(text, places[found]!)}: the agent does not read this file because of a ${found}`,
    `The file was not changed. Remove the ${found}, then run the command again.`,
  )
}

function trailingComma(node: JsonNode): number | undefined {
  if (node.kind === 'scalar') return undefined
  const { comma } = node.elements.at(-1) ?? {}
  if (comma !== undefined) return comma
  for (const { value } of node.elements) {
    const inside = trailingComma(value)
    if (inside !== undefined) return inside
  }
  return undefined
}

function invalidJson(text: string, path: string, offset: number, code: string): UserError {
  return new UserError(
    `${path}:${lineColumn(text, offset)} is not valid JSON: ${parseErrors[code] ?? code}`,
    'The file was not changed. Correct that line, then run the command again.',
  )
}

/** By the names of jsonc-parser's error codes. */
const parseErrors: Record<string, string> = {
  InvalidSymbol: 'this is neither a value nor a name in double quotes',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'expected a name in double quotes or }',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected a colon',
  CommaExpected: 'expected a comma or a closing bracket',
  EndOfFileExpected: 'expected the end of the file',
  EndOfFile: 'the file ends too early',
  UnexpectedEndOfComment: 'this comment is not closed',
  UnexpectedEndOfString: 'this string is not closed',
  UnexpectedEndOfNumber: 'this number is incomplete',
  InvalidUnicode: 'this string has an invalid Unicode escape',
  InvalidEscapeCharacter: 'this string has an invalid escape',
  InvalidCharacter: 'this string has a control character in it',
}

/** Returns the value as JSON.parse would. */
export function jsonOf(node: JsonNode): Json {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.elements.map((element) => jsonOf(element.value))
  return Object.fromEntries(node.elements.map((element) => [element.key!, jsonOf(element.value)]))
}

/** Returns the last of several members with the same name, as JSON.parse does. */
export function memberOf(object: JsonContainer, key: string): JsonElement | undefined {
  return object.elements.findLast((element) => element.key === key)
}

export function commentsIn(document: JsonDocument, start: number, end: number): JsonComment[] {
  return document.comments.filter((comment) => comment.start >= start && comment.end <= end)
}

export function lineColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).replace(/^\uFEFF/, '')
  return `${before.split('\n').length}:${before.length - before.lastIndexOf('\n')}`
}
