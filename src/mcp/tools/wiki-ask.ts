import * as z from 'zod'
import { evidenceNotice, wrapEvidence } from '../../gate/evidence.ts'
import { tellLines } from '../../gate/gate.ts'
import { modelsMayJudge } from '../../learn/context.ts'
import { askWiki } from '../../wiki/ask/ask.ts'
import type { WikiAnswer } from '../../wiki/ask/citations.ts'
import { allProjects, projectInput, requestedProject } from '../client-project.ts'
import type { ToolCall } from '../tool-result.ts'

export const wikiAskInput = z.strictObject({
  question: z.string().min(1).max(4000).describe('a question in plain words, or a problem report'),
  project: projectInput,
})

export async function wikiAsk(call: ToolCall, input: z.infer<typeof wikiAskInput>): Promise<string> {
  const { app, ledger } = call
  const project = requestedProject(call, input.project) ?? null
  const context = app.context(ledger)
  const asking = modelsMayJudge(context) ? context : { ...context, ask: undefined }
  const answer = await askWiki(asking, input.question, { project })
  if (!answer.known) return unknownText(answer, project)
  const source = { question: input.question, project: project ?? 'every project', by: answer.by }
  return [
    evidenceNotice,
    // Sources have passed the gate one by one; a model's words have not.
    wrapEvidence(source, tellLines(answer.answer, answer.by === 'passages' ? 'person' : 'agent')),
    'To read a session: session_get. To search further: memory_search.',
  ].join('\n\n')
}

/** Text of a model is marked as evidence, too. */
function unknownText({ answer, by }: WikiAnswer, project: string | null): string {
  const said = by === 'passages' ? answer : wrapEvidence({ by }, tellLines(answer, 'agent'))
  return project === null ? said : `${said}\nTry other words, or project "${allProjects}".`
}
