// Finds and changes the strings in a line of JSON without parsing it: everything else must stay as it
// is, down to the spacing, and the line may be torn.
import { inJson } from '../../store/sessions/copy-text.ts'

/** The content of a string in a text, without quotes. Regular expressions run out of stack on long ones. */
export interface JsonString {
  start: number
  end: number
  isName: boolean
}

/** A string that the text ends in is included. */
export function* stringsIn(text: string): Generator<JsonString> {
  for (let open = text.indexOf('"'); open >= 0; ) {
    let close = text.indexOf('"', open + 1)
    while (close > 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
    if (close < 0) close = text.length
    yield { start: open + 1, end: close, isName: isColonNext(text, close + 1) }
    open = text.indexOf('"', close + 1)
  }
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}

function isColonNext(text: string, from: number): boolean {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  return text[at] === ':'
}

/** JSON in a string in JSON in a string, as in the arguments of some tools. */
const maxDepth = 3

/**
 * Replaces values, also those of JSON inside a string. `change` gets the name of a value, or of the
 * list that it is in, and returns the value itself if it stays.
 */
export function changeStrings(text: string, change: (value: string, name: string) => string, depth = 0): string {
  let changed = ''
  let from = 0
  let name = ''
  for (const { start, end, isName } of stringsIn(text)) {
    const literal = text.slice(start, end)
    if (isName) {
      name = literal
      continue
    }
    const value = decodedString(literal)
    const own = change(value, name)
    const after = depth < maxDepth && isJson(own) ? changeStrings(own, change, depth + 1) : own
    if (after === value) continue
    changed += text.slice(from, start) + inJson(after)
    from = end
  }
  return from === 0 ? text : changed + text.slice(from)
}

/**
 * Visits values of at most this length, also those of JSON inside a string, with the name of the value
 * or of its list.
 */
export function visitStrings(
  text: string,
  visit: (value: string, name: string) => void,
  maxLength = Number.POSITIVE_INFINITY,
  depth = 0,
): void {
  let name = ''
  for (const { start, end, isName } of stringsIn(text)) {
    if (isName) {
      name = text.slice(start, end)
      continue
    }
    const isJsonInside = depth < maxDepth && mayBeJson(text, start)
    if (end - start > maxLength && !isJsonInside) continue
    const value = decodedString(text.slice(start, end))
    if (value.length <= maxLength) visit(value, name)
    if (isJsonInside && isJson(value)) visitStrings(value, visit, maxLength, depth + 1)
  }
}

/** Whether the literal at this place begins like JSON. */
export function mayBeJson(text: string, start: number): boolean {
  const first = text.charCodeAt(start)
  if (first === brace || first === bracket) return true
  return (first <= space || first === backslash) && /^(?:\s|\\[nrt])*[[{]/.test(text.slice(start, start + 100))
}

/** Whether the text may be JSON with strings in it. */
export function isJson(text: string): boolean {
  const first = text.charCodeAt(0)
  if (first !== brace && first !== bracket && !(first <= space && /^\s*[[{]/.test(text))) return false
  return text.includes('"')
}

const [space, bracket, backslash, brace] = [32, 91, 92, 123]

/** The value of a literal without its quotes. A torn string, or one that is no JSON, is taken as it stands. */
export function decodedString(literal: string): string {
  if (!literal.includes('\\')) return literal
  try {
    return JSON.parse(`"${literal}"`) as string
  } catch {
    return literal.replaceAll('\\n', '\n').replaceAll('\\"', '"')
  }
}
