// From what was sent to what a route works with. What does not fit is told by its place, never by what stands there.
import type * as z from 'zod'
import { RequestProblem } from '../problem.ts'

export function parse<T>(schema: z.ZodType<T> | undefined, sent: unknown, what: string): T {
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
