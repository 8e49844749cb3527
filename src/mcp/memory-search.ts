import * as z from 'zod'
import { evidence, notice } from '../core/evidence.ts'
import type { Zone } from '../core/units.ts'
import { shortLine } from '../text/truncate.ts'
import type { Visit } from './answer.ts'
import { find, findableKinds, type Hit } from './find.ts'
import { everyProject } from './here.ts'
import { memoryLine } from './memory-text.ts'
import { speaker } from './session-search.ts'

export const searchMemoriesInput = z.strictObject({
  query: z.string().min(1).max(4000).describe('a question or words: names, commands, paths and error messages work'),
  kind: z
    .enum(findableKinds)
    .optional()
    .describe('only memories, memories of one kind, exchanges or digests of sessions, or commits'),
  project: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      `a project by its name, identity or folder; "${everyProject}" for every one (default: the project you work in)`,
    ),
  limit: z.int().min(1).max(50).default(10).describe('how many lines'),
})

export async function searchMemories(visit: Visit, input: z.infer<typeof searchMemoriesInput>): Promise<string> {
  const { app } = visit
  const { project, memories, hits } = await find(visit, { ...input, project: input.project })
  if (memories.length + hits.length === 0) return nothing(project)
  const lines = [...memories.map((memory) => memoryLine(memory, app)), ...hits.map((hit) => hitLine(hit, app.zone))]
  return [
    notice,
    evidence({ query: input.query, project: project ?? 'every project' }, lines.join('\n')),
    'memory_expand with an id shows what is around it, memory_get with ids the full text.',
  ].join('\n\n')
}

function nothing(project: string | undefined): string {
  if (project === undefined) return 'Nothing was found. Try other words.'
  return `Nothing was found in ${shortLine(project, 200)}. Try other words, or project "${everyProject}".`
}

function hitLine({ id, kind, role, ts, session, project, title, snippet }: Hit, zone: Zone): string {
  const marks = [
    kind,
    role && speaker(role),
    ts && zone.day(ts),
    session?.slice(0, session.indexOf(':')),
    project?.split(/[\\/]/).at(-1),
  ]
  const text = kind === 'commit' && title && !snippet.startsWith(title) ? `${title}: ${snippet}` : snippet
  return `[${id}] ${marks.filter(Boolean).join(', ')}: ${shortLine(text, 200)}`
}
