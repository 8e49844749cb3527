import { UserError } from '../core/errors.ts'
import type { ProjectRules } from '../core/project.ts'
import { projectNamed } from '../recall/project.ts'
import { isEmptyQuery, parseQuery } from '../recall/query.ts'
import { type SearchResult, search } from '../recall/search.ts'
import type { Ledger } from '../store/ledger.ts'
import { evidence, notice } from './evidence.ts'

export interface SearchInput {
  query: string
  limit: number
  project?: string
}

export function searchSessions(ledger: Ledger, input: SearchInput, rules: ProjectRules): string {
  const query = parseQuery(input.query)
  if (isEmptyQuery(query)) throw new UserError('There is no word to look for', 'Ask with words, names or a path.')
  const project = input.project === undefined ? undefined : projectNamed(ledger, input.project, rules)
  const results = search(ledger, query, { limit: input.limit, project })
  if (results.length === 0) return 'Nothing was found. Try other words, or without the project.'
  return [notice, ...results.map(passage), 'session_get with a session and its from reads on.'].join('\n\n')
}

function passage({ session, seq, ts, role, project, title, snippet }: SearchResult): string {
  return evidence({ session, from: seq, date: ts, by: speaker(role), project, title }, snippet)
}

function speaker(role: SearchResult['role']): string {
  if (role === null) return 'digest'
  return { user: 'user', assistant: 'agent', tool: 'tool output', system: 'agent' }[role]
}
