// Many questions in one run: a file of JSON lines, for benchmarks and other programs.
import { createReadStream, existsSync } from 'node:fs'
import { UserError } from '../core/errors.ts'

export interface BatchQuestion {
  id: unknown
  query: string
  project?: string
  budget?: number
  limit?: number
}

/** Each line as it is, once it has the text that it is about; `shape` tells what it should look like. */
export async function* batchLines<T>(path: string, field: keyof T & string, shape: string): AsyncGenerator<T> {
  if (!existsSync(path)) throw new UserError(`${path} is not there`, 'Give a file of JSON lines.')
  const { createInterface } = await import('node:readline')
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path) })) {
    number++
    if (line.trim() === '') continue
    const value = parsed(line)
    if (typeof value?.[field] !== 'string') throw new UserError(`${path}:${number}: not ${shape}`, 'Correct that line.')
    yield value as T
  }
}

export function questionsIn(path: string): AsyncGenerator<BatchQuestion> {
  return batchLines<BatchQuestion>(path, 'query', '{"id", "query"}')
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
}
