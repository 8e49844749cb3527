// recall: an answer composed from sessions, memories and commits.
import * as z from 'zod'
import { evidenceNotice, tellName, wrapEvidence } from '../../gate/evidence.ts'
import { ageText } from '../../memory/age.ts'
import { type RecallItem, recall } from '../../recall/recall.ts'
import { questionVector } from '../../search/vectors/question-vector.ts'
import { findSessions } from '../../store/sessions/sessions.ts'
import { shortLine } from '../../text/truncate.ts'
import { allProjects, projectInput, requestedProject } from '../client-project.ts'
import type { ToolCall } from '../tool-result.ts'

export const recallInput = z.strictObject({
  question: z.string().min(1).max(4000).describe('a question in plain words, an error message or a bug report'),
  project: projectInput,
  budget: z.int().min(100).max(4000).default(800).describe('maximum length of the answer in tokens'),
})

export async function recallTool(call: ToolCall, input: z.infer<typeof recallInput>): Promise<string> {
  const { app, ledger } = call
  const project = requestedProject(call, input.project) ?? null
  const { items } = recall(ledger, input.question, {
    project,
    budget: input.budget,
    nowMs: app.clock.nowMs(),
    vector: await questionVector(app, ledger, input.question),
  })
  const [first] = items
  if (!first)
    return `Nothing found. To search for single words: memory_search${project === null ? '' : `; or ask again with project "${allProjects}"`}.`
  return [
    evidenceNotice,
    wrapEvidence(
      { question: input.question, project: project ?? 'every project' },
      items.map((item) => itemText(call, item)).join('\n\n'),
    ),
    'To read on: session_get with the id in brackets (with #number), memory_get for a memory (m-…).',
  ].join('\n\n')
}

/** With the age of what was said, and the title of its session. */
function itemText({ app, ledger }: ToolCall, { kind, session, at, text, label }: RecallItem): string {
  const [heading = '', ...lines] = text.split('\n')
  const title = kind === 'exchange' ? findSessions(ledger, session!).find(({ id }) => id === session)?.title : undefined
  const about = [ageText(at, app.clock.nowMs()), title && `in "${shortLine(tellName(title), 80)}"`]
    .filter(Boolean)
    .join(', ')
  return [...(label ? [label, ''] : []), kind === 'exchange' && about ? `${heading} ${about}` : heading, ...lines].join(
    '\n',
  )
}
