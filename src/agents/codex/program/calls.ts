// Calls in a program: of tools, of functions of the program, and of the few functions of the language that lists and
// results go through.
import { commandOf } from '../../../core/commands.ts'
import type { Json } from '../../../core/session.ts'
import { asObject } from '../../json-values.ts'
import { bind, deeper, doubtfully, isMark, nameAt, type Print, type Reading, step, TooMuch } from './reading.ts'
import {
  callsIn,
  derivedFrom,
  isLiteral,
  joined,
  known,
  listOf,
  type Scope,
  toJson,
  unknown,
  type Value,
} from './values.ts'

const maxCalls = 200
/** Rounds of a loop. */
export const maxRounds = 100

export function callValue(reading: Reading, callee: Value, owner: Value, method: string, given: Value[]): Value {
  if (callee.kind === 'function') return run(reading, callee, given)
  if (callee.kind === 'global') return callGlobal(reading, callee.path, given)
  const [first] = given
  switch (method) {
    case 'map':
    case 'forEach':
      if (owner.kind !== 'list' || first?.kind !== 'function' || owner.items.length > maxRounds) break
      return listOf(owner.items.map((item, index) => run(reading, first, [item, known(index), owner])))
    case 'entries':
      if (owner.kind !== 'list') break
      return listOf(owner.items.map((item, index) => listOf([known(index), item])))
    case 'join': {
      if (owner.kind !== 'list') break
      const between = first ?? known(',')
      return joined(owner.items.flatMap((item, index) => (index === 0 ? [item] : [between, item])))
    }
    case 'trim':
    case 'toString':
      if (owner.kind !== 'known') break
      return known(String(owner.value).trim())
    case 'then':
      return first?.kind === 'function' ? run(reading, first, [owner]) : owner
    default:
      break
  }
  for (const value of given) if (value.kind === 'function') doubtfully(reading, () => run(reading, value, []))
  return derivedFrom([owner, callee, ...given])
}

function callGlobal(reading: Reading, path: string, given: Value[]): Value {
  const [first = known(undefined)] = given
  if (path.startsWith('tools.')) return callTool(reading, path.slice('tools.'.length), first)
  switch (path) {
    case 'Promise.all':
    case 'Promise.allSettled':
    case 'Promise.resolve':
    case 'String':
      return first
    case 'Object.entries':
      if (first.kind !== 'object' || first.isPartial) break
      return listOf([...first.fields].map(([name, value]) => listOf([known(name), value])))
    case 'JSON.stringify': {
      if (!isLiteral(first)) return first
      return given.length > 1 ? unknown : known(JSON.stringify(toJson(first)))
    }
    case 'text':
    case 'image':
      print(reading, first)
      return known(undefined)
    case 'exit':
      reading.hasEnded = reading.doubts === 0
      reading.doubts++
      return known(undefined)
    case 'store':
      return known(undefined)
    case 'notify':
    case 'forward_output':
    case 'yield_control':
      reading.program.prints = undefined
      return known(undefined)
    default:
      break
  }
  for (const value of given) if (value.kind === 'function') doubtfully(reading, () => run(reading, value, []))
  return derivedFrom(given)
}

function run(reading: Reading, callee: Extract<Value, { kind: 'function' }>, given: Value[]): Value {
  const scope: Scope = { names: new Map(), outer: callee.scope }
  let place = 0
  for (let at = callee.parameters[0]; at < callee.parameters[1]; at++) {
    step(reading)
    if (isMark(reading, at, ',')) place++
    else if (isMark(reading, at, '[', '{') || nameAt(reading, at)) {
      bind(reading, at, given[place] ?? known(undefined), scope)
      at = isMark(reading, at, '[', '{') ? reading.closing[at]! : at
      while (at + 1 < callee.parameters[1] && !isMark(reading, at + 1, ',')) at++ // a type or a default
    }
  }
  return deeper(reading, () => reading.readBody(...callee.body, scope))
}

function callTool(reading: Reading, tool: string, argument: Value): Value {
  const input = inputOf(tool, argument)
  if (reading.doubts > 0 || input === undefined) {
    reading.program.isWhole = false
    return { kind: 'derived', calls: [] }
  }
  if (reading.program.calls.length >= maxCalls) throw new TooMuch()
  reading.program.calls.push({ tool, input })
  return { kind: 'derived', calls: [reading.program.calls.length - 1] }
}

function print(reading: Reading, value: Value): void {
  if (reading.doubts > 0) reading.program.prints = undefined
  if (value.kind === 'list') reading.program.prints?.push({ calls: value.items.flatMap(callsIn) })
  else reading.program.prints?.push({ calls: callsIn(value), ...exitIn(value) })
}

const runsCommand = /^(?:exec_command|shell_command|shell|local_shell)$/

/** Undefined if what the call does is not known. */
function inputOf(tool: string, argument: Value): Json | undefined {
  if (argument.kind === 'known') {
    if (argument.value === undefined) return {}
    return typeof argument.value === 'string' ? { input: argument.value } : undefined
  }
  if (argument.kind !== 'object') return undefined
  const input = asObject(toJson(argument)) as Record<string, Json>
  if (runsCommand.test(tool)) return commandOf(input) === '' ? undefined : input
  if (tool === 'apply_patch') return typeof (input.input ?? input.patch) === 'string' ? input : undefined
  return input
}

function exitIn(value: Value): Pick<Print, 'exit'> {
  if (value.kind !== 'derived' || value.calls.length !== 1) return {}
  if (value.isExit) return { exit: { after: '', isFirst: true } }
  const pieces = value.pieces ?? []
  const at = pieces.findIndex((piece) => typeof piece !== 'string' && piece.isExit)
  if (at < 0) return {}
  const before = pieces.slice(0, at)
  const isFirst = before.every((piece) => typeof piece === 'string')
  const after = before.slice(before.findLastIndex((piece) => typeof piece !== 'string') + 1).join('')
  return isFirst || after !== '' ? { exit: { after, isFirst } } : {}
}
