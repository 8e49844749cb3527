import * as z from 'zod'
import { evidence, notice } from '../core/evidence.ts'
import type { Visit } from './answer.ts'
import { findInSessions, type Hit } from './find.ts'

export const searchSessionsInput = z.strictObject({
  query: z.string().min(1).max(4000).describe('a question or words: names, commands, paths and error messages work'),
  limit: z.int().min(1).max(50).default(10).describe('how many passages'),
  project: z.string().min(1).optional().describe('only this project: its identity, its name or a folder in it'),
})

export async function searchSessions(
  visit: Visit,
  { query, limit, project }: z.infer<typeof searchSessionsInput>,
): Promise<string> {
  const hits = await findInSessions(visit, { query, limit, project })
  if (hits.length === 0) return 'Nothing was found. Try other words, or without the project.'
  return [notice, ...hits.map(passage), 'session_get with a session and its from reads on.'].join('\n\n')
}

function passage({ session, seq, ts, role, project, title, snippet }: Hit): string {
  return evidence({ session, from: seq, date: ts, by: speaker(role), project, title }, snippet)
}

/** Output of a tool is nobody's word. */
export function speaker(role: Hit['role']): string {
  if (role === null) return 'digest'
  return { user: 'user', assistant: 'agent', tool: 'tool output', system: 'agent' }[role]
}
