// Which texts of a session search and recall may show.
import { gitReports } from '../../core/git-output.ts'
import type { Event } from '../../core/session.ts'
import { isQuestionTool } from './person-words.ts'

/** What decides whether the text of an event is indexed. */
type TextFields = Pick<Event, 'kind' | 'error' | 'exit' | 'tool' | 'text'>

/**
 * Whether search or recall may show the text of an event. The others, nearly all of the output of
 * tools, thinking and what clients add to prompts, are only read with the whole session.
 */
export function isIndexedText(event: TextFields): boolean {
  if (event.kind === 'thinking' || event.kind === 'context') return false
  return !isOkResult(event) || gitReports(event.text) !== ''
}

/** Of the output of a call that worked only what it published is read, and what a person answered. */
export function isOkResult({ kind, error, exit, tool = '' }: TextFields): boolean {
  return (kind === 'tool_result' || kind === 'test_run') && !error && !exit && !isQuestionTool(tool)
}
