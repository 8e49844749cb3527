// What a request carries: read up to a limit, whether or not it says beforehand how much it is.

import type * as z from 'zod'
import { RequestProblem } from '../request-problem.ts'

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

/** Deep nesting would exhaust the stack of whoever walks through it. */
const maxDepth = 40

function parseJson(bytes: Uint8Array): unknown {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new RequestProblem(400, 'not_json', 'The body is not JSON in UTF-8')
  }
  if (isDeeper(value, maxDepth)) throw new RequestProblem(422, 'invalid', 'The body is nested too deeply')
  return value
}

function isDeeper(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.values(value).some((inner) => isDeeper(inner, left - 1))
}

function tooLarge(maxBytes: number): RequestProblem {
  return new RequestProblem(413, 'too_large', `The body may have ${maxBytes} bytes`, 'Send it in smaller parts.')
}

const maxDrainedBytes = 8_000_000

/**
 * Who still sends while they are answered may never see the answer: the rest is read and thrown away. False where there is too
 * much of it, and the connection has to go.
 */
export async function drainBody(request: Request): Promise<boolean> {
  if (!request.body || request.body.locked) return true
  const reader = request.body.getReader()
  let size = 0
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength
      if (size > maxDrainedBytes) return false
    }
    return true
  } catch {
    return false
  }
}

// From what was sent to what a route works with. What does not fit is told by its place, never by what stands there.

export function parseInput<T>(schema: z.ZodType<T> | undefined, sent: unknown, what: string): T {
  if (!schema) return undefined as T
  const result = schema.safeParse(sent)
  if (result.success) return result.data
  const issues = result.error.issues.slice(0, 5).map((issue) => issueText(issue, what))
  throw new RequestProblem(422, 'invalid', issues.join('; '))
}

/** Keys of a document and keys that are not known are the sender's own words. */
function issueText(issue: z.core.$ZodIssue, what: string): string {
  const end = issue.path.indexOf('document')
  const place = (end < 0 ? issue.path : issue.path.slice(0, end + 1)).join('.')
  const message = issue.code === 'unrecognized_keys' ? 'has fields that are not known here' : issue.message
  return `${place || what}: ${message}`
}
