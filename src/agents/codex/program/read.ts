// Reads the calls that a program of Codex makes, as far as they are written out: `tools.exec_command({cmd: "npm test"})`,
// also in `Promise.all`, in a loop over a literal list, in a function of the program, or with values that were assigned
// before. Nothing is run: a call that depends on a condition or on a result is not read, and the program is then not
// whole. Time, depth and size are limited whatever the program says.
import { readExpression } from './expressions.ts'
import { isMark, type Program, type Reading, startReading, TooMuch } from './reading.ts'
import { readStatements } from './statements.ts'
import { readTokens } from './tokens.ts'
import { known, type Scope, type Value } from './values.ts'

export function readProgram(source: string): Program {
  const read = readTokens(source)
  const reading = startReading(read, readBody)
  if (!isReadToEnd(reading) || !read.isWhole) {
    reading.program.isWhole = false
    reading.program.prints = undefined
  }
  return reading.program
}

function isReadToEnd(reading: Reading): boolean {
  try {
    readStatements(reading, 0, reading.tokens.length, { names: new Map(), outer: undefined })
    return true
  } catch (error) {
    if (error instanceof TooMuch) return false
    throw error
  }
}

/** A block, or the value of an arrow function without one. */
function readBody(reading: Reading, from: number, end: number, scope: Scope): Value {
  if (!isMark(reading, from, '{')) return readExpression(reading, from, end, scope).value
  reading.returned = known(undefined)
  readStatements(reading, from + 1, end - 1, scope)
  const value = reading.returned
  reading.returned = known(undefined)
  return value
}
