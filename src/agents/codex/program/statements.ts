// Statements of a program. A loop over a known list is read round by round; what depends on a condition is doubtful,
// and so is everything after a condition that may have left the program.
import { maxRounds } from './calls.ts'
import { readExpression, readFunction } from './expressions.ts'
import { bind, deeper, isMark, nameAt, type Reading } from './reading.ts'
import { known, lookUp, type Scope, type Value } from './values.ts'

/** The end of a function or of a loop round. */
type Leap = 'return' | 'break' | 'continue' | undefined

export function readStatements(reading: Reading, from: number, end: number, scope: Scope): Leap {
  for (let at = from; at < end; ) {
    const { next, leap } = readStatement(reading, at, end, scope)
    if (leap) return leap
    at = Math.max(next, at + 1)
  }
  return undefined
}

function readStatement(reading: Reading, at: number, end: number, scope: Scope): { next: number; leap?: Leap } {
  return deeper(reading, () => {
    if (isMark(reading, at, '{'))
      return {
        next: reading.closing[at]! + 1,
        leap: readStatements(reading, at + 1, Math.min(reading.closing[at]!, end), scope),
      }
    switch (nameAt(reading, at)) {
      case 'const':
      case 'let':
      case 'var':
        return { next: readDeclarations(reading, at + 1, end, scope) }
      case 'for':
        return readFor(reading, at, end, scope)
      case 'if':
      case 'while':
      case 'switch': {
        const condition =
          nameAt(reading, at) === 'if' ? readExpression(reading, at + 2, reading.closing[at + 1]!, scope) : undefined
        const body = Math.max(condition?.next ?? 0, reading.closing[at + 1]!) + 1
        return { next: readDoubtful(reading, body, end, scope) }
      }
      case 'else':
      case 'do':
        return { next: readDoubtful(reading, at + 1, end, scope) }
      case 'try':
        return { next: at + 1 }
      case 'catch':
        return {
          next: readDoubtful(reading, isMark(reading, at + 1, '(') ? reading.closing[at + 1]! + 1 : at + 1, end, scope),
        }
      case 'finally':
        return { next: at + 1 }
      case 'function':
        return { next: readFunction(reading, at, scope).next }
      case 'return':
      case 'throw': {
        const { value, next } = readExpression(reading, at + 1, end, scope)
        reading.returned = value
        return { next, leap: leave(reading, 'return') }
      }
      case 'break':
      case 'continue':
        return { next: at + 1, leap: leave(reading, nameAt(reading, at) as 'break' | 'continue') }
      default: {
        const { next } = readExpression(reading, at, end, scope)
        return {
          next: isMark(reading, next, ';', ',') ? next + 1 : next,
          leap: reading.hasEnded ? 'return' : undefined,
        }
      }
    }
  })
}

/** What may leave a function, a loop or the program makes all that follows doubtful. */
function leave(reading: Reading, leap: 'return' | 'break' | 'continue'): Leap {
  if (reading.doubts === 0) return leap
  reading.doubts++
  return undefined
}

/** A branch, or a loop whose rounds are not known. */
function readDoubtful(reading: Reading, at: number, end: number, scope: Scope): number {
  const before = reading.doubts
  reading.doubts++
  const { next } = readStatement(reading, at, end, scope)
  // One more if the branch may leave what it is in.
  reading.doubts = reading.doubts > before + 1 ? reading.doubts : before
  return next
}

function readDeclarations(reading: Reading, from: number, end: number, scope: Scope): number {
  let at = from
  while (at < end) {
    const pattern = at
    at = isMark(reading, at, '[', '{') ? reading.closing[at]! + 1 : at + 1
    if (isMark(reading, at, ':')) while (at < end && !isMark(reading, at, '=', ';')) at++ // a type
    let value: Value = known(undefined)
    if (isMark(reading, at, '=')) ({ value, next: at } = readExpression(reading, at + 1, end, scope))
    bind(reading, pattern, value, scope)
    if (!isMark(reading, at, ',')) break
    at++
  }
  return isMark(reading, at, ';') ? at + 1 : at
}

function readFor(reading: Reading, at: number, end: number, scope: Scope): { next: number; leap?: Leap } {
  const open = nameAt(reading, at + 1) === 'await' ? at + 2 : at + 1
  const close = reading.closing[open]!
  const inner: Scope = { names: new Map(), outer: scope }
  const pattern = /^(?:const|let|var)$/.test(nameAt(reading, open + 1)) ? open + 2 : open + 1
  const afterPattern = isMark(reading, pattern, '[', '{') ? reading.closing[pattern]! + 1 : pattern + 1
  const rounds = ['of', 'in'].includes(nameAt(reading, afterPattern))
    ? readRounds(
        reading,
        readExpression(reading, afterPattern + 1, close, inner).value,
        nameAt(reading, afterPattern) === 'in',
        pattern,
      )
    : countedRounds(reading, open, close, inner)
  if (!rounds) return { next: readDoubtful(reading, close + 1, end, inner) }
  let next = isMark(reading, close + 1, '{') ? reading.closing[close + 1]! + 1 : undefined
  for (const start of rounds) {
    start(inner)
    const round = readStatement(reading, close + 1, end, inner)
    next = round.next
    if (round.leap === 'break') break
    if (round.leap === 'return') return { next, leap: 'return' }
  }
  // The body of no round is only passed over.
  return { next: next ?? readDoubtful(reading, close + 1, end, inner) }
}

type Round = (scope: Scope) => void

function readRounds(reading: Reading, list: Value, isIn: boolean, pattern: number): Round[] | undefined {
  if (list.kind !== 'list' || isIn || list.items.length > maxRounds) return undefined
  return list.items.map((item) => (scope) => bind(reading, pattern, item, scope))
}

/** `for (let i = 0; i < list.length; i++)` */
function countedRounds(reading: Reading, open: number, close: number, scope: Scope): Round[] | undefined {
  const condition = readDeclarations(reading, open + 2, close, scope)
  const name = nameAt(reading, condition)
  const from = lookUp(scope, name)
  if (!isMark(reading, condition + 1, '<') || from.kind !== 'known') return undefined
  const { value: to, next } = readExpression(reading, condition + 2, close, scope)
  const isPlain =
    isMark(reading, next, ';') &&
    nameAt(reading, next + 1) === name &&
    isMark(reading, next + 2, '++') &&
    next + 3 === close
  if (!isPlain || to.kind !== 'known') return undefined
  const [first, last] = [Number(from.value), Number(to.value)]
  if (!(last - first <= maxRounds)) return undefined
  return Array.from({ length: Math.max(0, last - first) }, (_, index) => (inner) => {
    inner.names.set(name, known(first + index))
  })
}
