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
    const value = decoded(literal)
    const own = change(value, name)
    const isJson = depth < maxDepth && /^\s*[[{]/.test(own) && own.includes('"')
    const after = isJson ? changeStrings(own, change, depth + 1) : own
    if (after === value) continue
    changed += text.slice(from, start) + inJson(after)
    from = end
  }
  return from === 0 ? text : changed + text.slice(from)
}

/** A torn string, or one that is no JSON, is taken as it stands. */
function decoded(literal: string): string {
  if (!literal.includes('\\')) return literal
  try {
    return JSON.parse(`"${literal}"`) as string
  } catch {
    return literal.replaceAll('\\n', '\n').replaceAll('\\"', '"')
  }
}
