// Expressions of a program. Only literals, what is put together of them, and calls have a value that is known.
import { callValue } from './calls.ts'
import { assign, deeper, doubtfully, isMark, nameAt, type Reading, step } from './reading.ts'
import type { Token } from './tokens.ts'
import {
  derivedFrom,
  joined,
  known,
  listOf,
  lookUp,
  member,
  objectOf,
  type Scope,
  unknown,
  type Value,
} from './values.ts'

interface Read {
  value: Value
  next: number
}

export function readExpression(reading: Reading, from: number, end: number, scope: Scope): Read {
  return deeper(reading, () => {
    let { value, next } = readOperand(reading, from, end, scope)
    const isName = next === from + 1 && nameAt(reading, from) !== ''
    while (next < end) {
      if (isMark(reading, next, '=', '+=') && isName) {
        const isSum = isMark(reading, next, '+=')
        const right = readExpression(reading, next + 1, end, scope)
        value = isSum ? joined([value, right.value]) : right.value
        assign(reading, nameAt(reading, from), value, scope)
        next = right.next
      } else if (isMark(reading, next, '+')) {
        const right = readOperand(reading, next + 1, end, scope)
        value = joined([value, right.value])
        next = right.next
      } else if (isMark(reading, next, '?')) {
        const yes = doubtfully(reading, () => readExpression(reading, next + 1, end, scope))
        const no = doubtfully(reading, () => readExpression(reading, yes.next + 1, end, scope))
        value = derivedFrom([value, yes.value, no.value])
        next = no.next
      } else if (isMark(reading, next, '??', '||', '&&')) {
        const right = doubtfully(reading, () => readExpression(reading, next + 1, end, scope))
        value = derivedFrom([value, right.value])
        next = right.next
      } else if (isOperator(reading.tokens[next])) {
        const right = readOperand(reading, next + 1, end, scope)
        value = derivedFrom([value, right.value])
        next = right.next
      } else break
    }
    return { value, next }
  })
}

function readOperand(reading: Reading, at: number, end: number, scope: Scope): Read {
  if (at >= end) return { value: unknown, next: end }
  return deeper(reading, () =>
    readMembers(reading, readPrimary(reading, at, end, scope), nameAt(reading, at), end, scope),
  )
}

function readPrimary(reading: Reading, at: number, end: number, scope: Scope): Read {
  const token = reading.tokens[at]!
  const arrow = arrowAt(reading, at)
  if (arrow !== undefined) return readArrow(reading, at, arrow, end, scope)
  switch (token.kind) {
    case 'string':
    case 'number':
      return { value: known(token.value), next: at + 1 }
    case 'pattern':
      return { value: unknown, next: at + 1 }
    case 'template':
      return readTemplate(reading, token.texts, at, scope)
    case 'name':
      return readName(reading, token.value, at, end, scope)
    default:
      break
  }
  switch (token.value) {
    case '(': {
      const { value, next } = readExpression(reading, at + 1, reading.closing[at]!, scope)
      // After a comma comes another value, and after a cast only a type.
      const isOther = next < reading.closing[at]! && nameAt(reading, next) !== 'as'
      if (isOther) readList(reading, next, reading.closing[at]!, scope)
      return { value: isOther ? unknown : value, next: reading.closing[at]! + 1 }
    }
    case '[':
      return { value: listOf(readList(reading, at + 1, reading.closing[at]!, scope)), next: reading.closing[at]! + 1 }
    case '{':
      return { value: readObject(reading, at + 1, reading.closing[at]!, scope), next: reading.closing[at]! + 1 }
    case '-': {
      const { value, next } = readOperand(reading, at + 1, end, scope)
      return { value: value.kind === 'known' ? known(-Number(value.value)) : derivedFrom([value]), next }
    }
    case '!':
    case '+':
    case '~':
    case '...': {
      const { value, next } = readOperand(reading, at + 1, end, scope)
      return { value: derivedFrom([value]), next }
    }
    default:
      return { value: unknown, next: at + 1 }
  }
}

function readName(reading: Reading, name: string, at: number, end: number, scope: Scope): Read {
  switch (name) {
    case 'await':
      return readOperand(reading, at + 1, end, scope)
    case 'typeof':
    case 'void':
    case 'new':
    case 'delete': {
      const { value, next } = readOperand(reading, at + 1, end, scope)
      return { value: derivedFrom([value]), next }
    }
    case 'async':
      if (nameAt(reading, at + 1) === 'function') return readFunction(reading, at + 1, scope)
      return readPrimary(reading, at + 1, end, scope)
    case 'function':
      return readFunction(reading, at, scope)
    case 'true':
    case 'false':
      return { value: known(name === 'true'), next: at + 1 }
    case 'null':
      return { value: known(null), next: at + 1 }
    case 'undefined':
      return { value: known(undefined), next: at + 1 }
    default:
      return { value: lookUp(scope, name), next: at + 1 }
  }
}

/** The place of `=>` if a function begins here. */
function arrowAt(reading: Reading, at: number): number | undefined {
  const start = nameAt(reading, at) === 'async' && !isMark(reading, at + 1, '=>') ? at + 1 : at
  const after = isMark(reading, start, '(') ? reading.closing[start]! + 1 : start + 1
  return (isMark(reading, start, '(') || nameAt(reading, start) !== '') && isMark(reading, after, '=>')
    ? after
    : undefined
}

function readArrow(reading: Reading, at: number, arrow: number, end: number, scope: Scope): Read {
  const start = nameAt(reading, at) === 'async' && arrow > at + 1 ? at + 1 : at
  const parameters: [number, number] = isMark(reading, start, '(') ? [start + 1, arrow - 1] : [start, arrow]
  const isBlock = isMark(reading, arrow + 1, '{')
  const bodyEnd = isBlock ? reading.closing[arrow + 1]! + 1 : expressionEnd(reading, arrow + 1, end)
  return {
    value: { kind: 'function', parameters, body: [arrow + 1, Math.min(bodyEnd, reading.tokens.length)], scope },
    next: bodyEnd,
  }
}

export function readFunction(reading: Reading, at: number, scope: Scope): Read {
  const name = nameAt(reading, at + 1)
  const open = name ? at + 2 : at + 1
  const body = reading.closing[open]! + 1
  const end = reading.closing[body] ?? reading.tokens.length
  const parameters: [number, number] = [open + 1, Math.min(reading.closing[open]!, reading.tokens.length)]
  const value: Value = { kind: 'function', parameters, body: [body, Math.min(end + 1, reading.tokens.length)], scope }
  if (name) scope.names.set(name, value)
  return { value, next: end + 1 }
}

function expressionEnd(reading: Reading, from: number, end: number): number {
  let at = from
  while (at < end && !isMark(reading, at, ',', ';', ')', ']', '}', '}$')) {
    at = isMark(reading, at, '(', '[', '{', '${') ? reading.closing[at]! + 1 : at + 1
    step(reading)
  }
  return Math.min(at, end)
}

function readTemplate(reading: Reading, texts: string[], at: number, scope: Scope): Read {
  const parts: Value[] = [known(texts[0] ?? '')]
  let next = at + 1
  for (const text of texts.slice(1)) {
    if (isMark(reading, next, '${')) {
      parts.push(readExpression(reading, next + 1, reading.closing[next]!, scope).value)
      next = reading.closing[next]! + 1
    }
    parts.push(known(text))
  }
  return { value: joined(parts), next }
}

function readList(reading: Reading, from: number, end: number, scope: Scope): Value[] {
  const items: Value[] = []
  for (let at = from; at < end; ) {
    if (isMark(reading, at, ',')) {
      at++
      continue
    }
    const isSpread = isMark(reading, at, '...')
    const { value, next } = readExpression(reading, isSpread ? at + 1 : at, end, scope)
    if (isSpread && value.kind === 'list') items.push(...value.items)
    else items.push(isSpread ? derivedFrom([value]) : value)
    at = Math.max(next, at + 1)
  }
  return items
}

function readObject(reading: Reading, from: number, end: number, scope: Scope): Value {
  const fields = new Map<string, Value>()
  let isPartial = false
  for (let at = from; at < end; ) {
    const token = reading.tokens[at]!
    let next = at + 1
    if (isMark(reading, at, '...')) {
      const spread = readExpression(reading, at + 1, end, scope)
      if (spread.value.kind === 'object') for (const [name, value] of spread.value.fields) fields.set(name, value)
      else {
        isPartial = true
        fields.set(`...${at}`, derivedFrom([spread.value]))
      }
      next = spread.next
    } else if (token.kind === 'string' || token.kind === 'name' || token.kind === 'number') {
      const name = String(token.value)
      const field = isMark(reading, at + 1, ':')
        ? readExpression(reading, at + 2, end, scope)
        : { value: lookUp(scope, name), next }
      fields.set(name, field.value)
      next = field.next
    } else if (!isMark(reading, at, ',')) isPartial = true
    at = Math.max(next, at + 1)
  }
  return objectOf(fields, isPartial)
}

/** Fields, items and calls after a value. */
function readMembers(reading: Reading, primary: Read, name: string, end: number, scope: Scope): Read {
  let { value, next } = primary
  let owner: Value = unknown
  let method = ''
  while (next < end) {
    step(reading)
    if (isMark(reading, next, '?.') && isMark(reading, next + 1, '(', '[')) next++
    if (isMark(reading, next, '.', '?.')) {
      owner = value
      method = nameAt(reading, next + 1)
      value = member(value, method)
      next += 2
    } else if (isMark(reading, next, '[')) {
      const key = readExpression(reading, next + 1, reading.closing[next]!, scope).value
      owner = value
      method = key.kind === 'known' ? String(key.value) : ''
      value = key.kind === 'known' ? member(value, method) : derivedFrom([value])
      next = reading.closing[next]! + 1
    } else if (isMark(reading, next, '(')) {
      const given = readList(reading, next + 1, Math.min(reading.closing[next]!, reading.tokens.length), scope)
      if (method === 'push' && owner.kind === 'list') assign(reading, name, listOf([...owner.items, ...given]), scope)
      value = callValue(reading, value, owner, method, given)
      next = reading.closing[next]! + 1
      owner = unknown
      method = ''
    } else if (
      reading.tokens[next]?.kind === 'template' ||
      (reading.tokens[next]?.kind === 'string' && value.kind === 'global')
    ) {
      // String.raw`…`: its backslashes are lost, so the text is not known.
      const token = reading.tokens[next]!
      next = token.kind === 'template' ? readTemplate(reading, token.texts, next, scope).next : next + 1
      value = unknown
    } else break
  }
  return { value, next }
}

function isOperator(token: Token | undefined): boolean {
  if (token?.kind === 'mark') return /^(?:[-*/%<>&|^]|[=!]==?|[<>]=|\*\*)$/.test(token.value)
  return token?.kind === 'name' && /^(?:instanceof|in)$/.test(token.value)
}
