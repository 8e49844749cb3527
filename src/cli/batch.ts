// Reads a file of JSON lines for --batch: many questions in one run, for benchmarks and programs.
import { createReadStream, existsSync } from 'node:fs'
import { UserError } from '../core/errors.ts'

export interface BatchQuestion {
  id: unknown
  query: string
  project?: string
  budget?: number
  limit?: number
}

/** Yields each line that has the text field `field`; `shape` describes a valid line in errors. */
export async function* batchLines<T>(path: string, field: keyof T & string, shape: string): AsyncGenerator<T> {
  if (!existsSync(path)) throw new UserError(`No such file: ${path}`, 'Give a file of JSON lines.')
  const { createInterface } = await import('node:readline')
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path) })) {
    number++
    if (line.trim() === '') continue
    const value = parseObject(line)
    if (typeof value?.[field] !== 'string')
      throw new UserError(`${path}:${number}: expected ${shape}`, 'Correct that line.')
    yield value as T
  }
}

export function questionsIn(path: string): AsyncGenerator<BatchQuestion> {
  return batchLines<BatchQuestion>(path, 'query', '{"id", "query"}')
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
}
