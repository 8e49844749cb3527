import * as z from 'zod'
import { evidence, notice } from '../core/evidence.ts'
import { memoryKinds } from '../memory/memory.ts'
import { listMemories } from '../store/memories/memories.ts'
import type { Visit } from './answer.ts'
import { everyProject, projectAsked } from './here.ts'
import { memoryLine } from './memory-text.ts'
import { maxCharacters } from './session-get.ts'

export const listInput = z.strictObject({
  project: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      `a project by its name, identity or folder; "${everyProject}" for every one (default: the project you work in)`,
    ),
  kind: z.enum(memoryKinds).optional().describe('only memories of this kind'),
  state: z.enum(['kept', 'inbox']).default('kept').describe('what holds, or what waits for a person to decide'),
  from: z.int().min(0).max(100_000).default(0).describe('how many to pass over'),
  limit: z.int().min(1).max(200).default(20).describe('how many lines'),
})

export function list(visit: Visit, input: z.infer<typeof listInput>): string {
  const { app, ledger } = visit
  const { kind, state, from, limit } = input
  const project = projectAsked(visit, input.project)
  const found = listMemories(ledger, {
    ...(project === undefined ? {} : { project, withGlobal: true }),
    ...(kind ? { kind } : {}),
    state,
    isCurrent: true,
    limit: from + limit + 1,
  }).slice(from)
  if (found.length === 0) return from > 0 ? 'There are no more.' : 'Nothing has been remembered here yet.'
  const lines = fitting(found.slice(0, limit).map((memory) => memoryLine(memory, app)))
  const rest = found.length > lines.length ? [`There is more: memory_list with from ${from + lines.length}.`] : []
  const source = { memories: state, project: project ?? 'every project' }
  return [notice, evidence(source, lines.join('\n')), ...rest].join('\n\n')
}

function fitting(lines: string[]): string[] {
  let size = 0
  const end = lines.findIndex((line) => {
    size += line.length + 1
    return size > maxCharacters
  })
  return end < 0 ? lines : lines.slice(0, end)
}
