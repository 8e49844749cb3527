// recall: an answer composed from sessions, memories and commits.
import * as z from 'zod'
import { evidenceNotice, wrapEvidence } from '../../core/injected-text.ts'
import { recall } from '../../recall/recall.ts'
import { questionVector } from '../../search/vectors/question-vector.ts'
import { allProjects, requestedProject } from '../client-project.ts'
import type { ToolCall } from '../tool-result.ts'

export const recallInput = z.strictObject({
  question: z.string().min(1).max(4000).describe('a question in plain words, an error message or a bug report'),
  project: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(`project name, identity or folder; "${allProjects}" for all (default: the project you work in)`),
  budget: z.int().min(100).max(4000).default(800).describe('maximum length of the answer in tokens'),
})

export async function recallTool(call: ToolCall, input: z.infer<typeof recallInput>): Promise<string> {
  const { app, ledger } = call
  const project = requestedProject(call, input.project) ?? null
  const { text } = recall(ledger, input.question, {
    project,
    budget: input.budget,
    nowMs: app.clock.nowMs(),
    vector: await questionVector(app, ledger, input.question),
  })
  if (text === '')
    return `Nothing found. To search for single words: memory_search${project === null ? '' : `; or ask again with project "${allProjects}"`}.`
  return [
    evidenceNotice,
    wrapEvidence({ question: input.question, project: project ?? 'every project' }, text),
    'To read on: session_get with a session (0a1b2c3d) and the number after # as from; memory_get with the id of a memory.',
  ].join('\n\n')
}
