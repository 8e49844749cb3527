// Reads and validates request input: bodies up to a size limit, with or without a Content-Length.
import type * as z from 'zod'
import { RequestProblem } from '../request-problem.ts'
import { maxBodyDepth } from './limits.ts'

export async function readJson(request: Request, maxBytes: number): Promise<{ value: unknown; bytes: number }> {
  const length = request.headers.get('content-length')
  if (Number(length) > maxBytes) throw tooLarge(maxBytes)
  const bytes = await readBytes(request, maxBytes)
  return { value: parseJson(bytes), bytes: bytes.byteLength }
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  if (!reader) return new Uint8Array()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength
      if (size > maxBytes) throw tooLarge(maxBytes)
      chunks.push(part.value)
    }
  } finally {
    reader.releaseLock()
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

function parseJson(bytes: Uint8Array): unknown {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new RequestProblem(400, 'not_json', 'The body is not JSON in UTF-8')
  }
  if (isDeeper(value, maxBodyDepth)) throw new RequestProblem(422, 'invalid', 'The body is nested too deeply')
  return value
}

function isDeeper(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.values(value).some((inner) => isDeeper(inner, left - 1))
}

function tooLarge(maxBytes: number): RequestProblem {
  return new RequestProblem(413, 'too_large', `The body may have ${maxBytes} bytes`, 'Send it in smaller parts.')
}

export function parseInput<T>(schema: z.ZodType<T> | undefined, sent: unknown, what: string): T {
  if (!schema) return undefined as T
  const result = schema.safeParse(sent)
  if (result.success) return result.data
  const issues = result.error.issues.slice(0, 5).map((issue) => issueText(issue, what))
  throw new RequestProblem(422, 'invalid', issues.join('; '))
}

/** Does not repeat keys of a document or unknown keys, since they are content. */
function issueText(issue: z.core.$ZodIssue, what: string): string {
  const end = issue.path.indexOf('document')
  const place = (end < 0 ? issue.path : issue.path.slice(0, end + 1)).join('.')
  const message = issue.code === 'unrecognized_keys' ? 'has unknown fields' : issue.message
  return `${place || what}: ${message}`
}
