// Rebuilds a chat session from its log of changes (VS Code 1.109 and later). A line has a whole
// object (kind 0), sets a value (1), appends to a list after cutting it (2) or deletes a value (3).
// VS Code starts the file anew after about a thousand lines.
import { messageOf } from '../../core/errors.ts'
import { maxJsonWidth } from '../../core/foreign-json.ts'
import { type JsonRecord, parseJsonlLine, readLines } from '../../core/jsonl.ts'
import type { Json } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { asArray, type JsonObject } from '../json-values.ts'

export function replayLog(path: string, out: ReaderOutput): JsonObject {
  let state: JsonObject = {}
  try {
    for (const line of readLines(path)) {
      if (isTyping(line.bytes)) continue
      const { records, bad, omitted } = parseJsonlLine(line)
      if (bad && line.isWhole) out.problem(line.offset + bad.at, bad.reason)
      if (omitted) out.problem(line.offset, omitted)
      for (const record of records) {
        if (record.kind === 0) state = isObject(record.v) ? record.v : {}
        else if (!change(state, record, out)) out.problem(line.offset, 'a change of something that is not there')
      }
    }
  } catch (error) {
    out.problem(0, messageOf(error))
  }
  return state
}

/** Every key that a person types writes a line about the input field. */
function isTyping(line: Buffer): boolean {
  return typing.test(line.toString('latin1', 0, 60))
}

const typing = /^\s*\{"kind":\s*[123],\s*"k":\s*\["inputState"/

/** Returns false if the place of the change does not exist. */
function change(state: JsonObject, record: JsonRecord, out: ReaderOutput): boolean {
  const keys = asArray(record.k)
  const key = keys.at(-1)
  const owner = keys.slice(0, -1).reduce<Json | undefined>(memberOf, state)
  switch (record.kind) {
    case 1:
      return put(owner, key, record.v)
    case 2: {
      const known = memberOf(owner, key)
      const list = Array.isArray(known) ? known : []
      if (typeof record.i === 'number' && record.i >= 0 && record.i < list.length) list.length = Math.floor(record.i)
      for (const item of asArray(record.v)) list.push(item)
      return list === known || put(owner, key, list)
    }
    case 3:
      return put(owner, key, undefined)
    default:
      out.unknownType(`change of kind ${String(record.kind)}`)
      return true
  }
}

/** Own members only: `__proto__` and the like lead to what all objects share. */
function memberOf(owner: Json | undefined, key: Json | undefined): Json | undefined {
  if (Array.isArray(owner)) return typeof key === 'number' ? owner[key] : undefined
  return isObject(owner) && typeof key === 'string' && Object.hasOwn(owner, key) ? owner[key] : undefined
}

function put(owner: Json | undefined, key: Json | undefined, value: Json | undefined): boolean {
  if (Array.isArray(owner)) {
    // No gaps: an index far behind the end would make a list of any length.
    if (typeof key !== 'number' || !(key in owner || (key === owner.length && key < maxJsonWidth))) return false
    owner[key] = value ?? null
    return true
  }
  if (!isObject(owner) || typeof key !== 'string' || key === '__proto__') return false
  owner[key] = value
  return true
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
