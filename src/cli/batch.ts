// Many questions in one run: a file of JSON lines, for benchmarks and other programs.
import { createReadStream, existsSync } from 'node:fs'
import { UserError } from '../core/errors.ts'

export interface BatchLine {
  id: unknown
  query: string
  project?: string
  budget?: number
  limit?: number
}

export async function* batchLines(path: string): AsyncGenerator<BatchLine> {
  if (!existsSync(path)) throw new UserError(`${path} is not there`, 'Give a file of JSON lines.')
  const { createInterface } = await import('node:readline')
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path) })) {
    number++
    if (line.trim() !== '') yield parsed(line, `${path}:${number}`)
  }
}

function parsed(line: string, place: string): BatchLine {
  try {
    const value = JSON.parse(line) as BatchLine
    if (typeof value.query === 'string') return value
  } catch {
    // told below
  }
  throw new UserError(`${place}: not {"id", "query"}`, 'Correct that line.')
}
