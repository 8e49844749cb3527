// A draft as its person edits it: the file that it would become.
import { UserError } from '../../core/errors.ts'
import type { Layout } from '../../core/paths.ts'
import type { Pattern } from '../pattern.ts'
import { readPractice } from '../practice-file.ts'
import { renderPractice } from '../practice-render.ts'
import { type Draft, practiceFrom } from './draft.ts'

export async function draftFile(layout: Layout, pattern: Pattern, draft: Draft): Promise<string> {
  const practice = practiceFrom(layout, pattern, draft, { day: '', note: '' })
  return String(await renderPractice({ ...practice, history: [] }))
}

export async function draftIn(text: string): Promise<Draft> {
  const read = await readPractice('practices/draft', Buffer.from(text))
  if (read.kind === 'bad')
    throw new UserError(`Line ${read.line}: ${read.reason}`, 'Nothing was changed: edit it again.')
  if (read.kind === 'note') throw new UserError('There is no "## Rule" in it', 'Nothing was changed: edit it again.')
  const { title, problem, rule, steps, agents, projects } = read.practice
  return { title, problem, rule, steps, agents, projects }
}
