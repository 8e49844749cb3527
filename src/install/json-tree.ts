// JSON as people write it into configuration files: with comments, trailing commas and a byte order mark. Every node knows
// where it stands, so that an edit can be an insertion and leave all other bytes alone.
import { UserError } from '../core/errors.ts'
import type { Json } from '../core/session.ts'

export interface Document {
  /** Missing in an empty file. */
  root: Node | undefined
  comments: Comment[]
}

export interface Span {
  start: number
  end: number
}

export interface Comment extends Span {
  isLine: boolean
}

export type Node = Container | (Span & { kind: 'scalar'; value: null | boolean | number | string })

export interface Container extends Span {
  kind: 'list' | 'object'
  elements: Element[]
}

/** An item of a list or a member of an object, from its key to the end of its value. */
export interface Element extends Span {
  key: string | undefined
  value: Node
  /** Where the comma after it stands. */
  comma: number | undefined
}

export function parseJson(text: string, path: string): Document {
  const comments: Comment[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0

  skip()
  const root = at < text.length ? parseValue() : undefined
  if (at < text.length) fail('nothing may follow the value')
  return { root, comments }

  function parseValue(): Node {
    const start = at
    if (text[at] === '{') return parseContainer('object', '}')
    if (text[at] === '[') return parseContainer('list', ']')
    const value = text[at] === '"' ? parseString() : parseWord()
    const node = { kind: 'scalar' as const, value, start, end: at }
    skip()
    return node
  }

  function parseContainer(kind: Container['kind'], close: string): Container {
    const container: Container = { kind, start: at++, end: 0, elements: [] }
    skip()
    while (text[at] !== close) {
      if (container.elements.length > 0 && container.elements.at(-1)!.comma === undefined) {
        fail(`a comma or ${close} is missing`)
      }
      container.elements.push(parseElement(kind))
    }
    container.end = ++at
    skip()
    return container
  }

  function parseElement(kind: Container['kind']): Element {
    const start = at
    const key = kind === 'object' ? parseKey() : undefined
    const value = parseValue()
    const element = { key, value, start, end: value.end, comma: text[at] === ',' ? at : undefined }
    if (element.comma !== undefined) at++
    skip()
    return element
  }

  function parseKey(): string {
    if (text[at] !== '"') fail('a name in double quotes, or }, is missing')
    const key = parseString()
    skip()
    if (text[at] !== ':') fail('a colon is missing')
    at++
    skip()
    return key
  }

  function parseString(): string {
    string.lastIndex = at
    const found = string.exec(text)?.[0]
    try {
      const value = JSON.parse(found ?? '') as string
      at += found!.length
      return value
    } catch {
      return fail('this text in quotes is not closed, or holds what JSON does not know')
    }
  }

  function parseWord(): null | boolean | number {
    word.lastIndex = at
    const found = word.exec(text)?.[0]
    if (found === undefined) return fail(at < text.length ? 'this is not a value' : 'the file ends too early')
    at += found.length
    return JSON.parse(found) as null | boolean | number
  }

  function skip(): void {
    for (;;) {
      space.lastIndex = at
      at += space.exec(text)![0].length
      comment.lastIndex = at
      const found = comment.exec(text)?.[0]
      if (found === undefined) return
      comments.push({ start: at, end: at + found.length, isLine: found.startsWith('//') })
      at += found.length
    }
  }

  function fail(reason: string): never {
    throw new UserError(
      `${path}:${lineColumn(text, at)} is not valid JSON: ${reason}`,
      'Nothing was changed. Correct that line, then run the command again.',
    )
  }
}

const space = /[ \t\r\n]*/y
const comment = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y
const string = /"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"/y
const word = /(?:null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y

/** As JSON.parse would give it. */
export function jsonOf(node: Node): Json {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.elements.map((element) => jsonOf(element.value))
  return Object.fromEntries(node.elements.map((element) => [element.key!, jsonOf(element.value)]))
}

/** Of two members with the same name the last one counts. */
export function memberOf(object: Container, key: string): Element | undefined {
  return object.elements.findLast((element) => element.key === key)
}

export function commentsIn(document: Document, start: number, end: number): Comment[] {
  return document.comments.filter((comment) => comment.start >= start && comment.end <= end)
}

export function lineColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).replace(/^\uFEFF/, '')
  return `${before.split('\n').length}:${before.length - before.lastIndexOf('\n')}`
}
