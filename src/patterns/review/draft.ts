// A pattern as the practice that it would become: what a person is shown, may edit, and approves.
import type { Layout } from '../../core/paths.ts'
import { oneLine, truncate } from '../../text/truncate.ts'
import { freePath } from '../catalogue.ts'
import type { Pattern } from '../pattern.ts'
import type { Practice } from '../practice.ts'
import { firstVersion } from '../practice-file.ts'
import { wordingOf } from './templates.ts'

/** What a person may say otherwise before it is approved. */
export type Draft = Pick<Practice, 'title' | 'problem' | 'rule' | 'steps' | 'agents' | 'projects'>

export function draftOf(pattern: Pattern): Draft {
  const { steps = [], ...wording } = wordingOf(pattern.type, pattern.locus)
  return { ...wording, steps, ...scopeOf(pattern) }
}

/** Where it was seen; what more than one agent does is not a matter of the agent, and across projects not of the project. */
function scopeOf({ agents, projects, crossAgent }: Pattern): Pick<Draft, 'agents' | 'projects'> {
  return { agents: crossAgent ? [] : agents, projects: crossAgent && projects.length > 1 ? [] : projects }
}

export function practiceFrom(
  layout: Layout,
  pattern: Pattern,
  draft: Draft,
  { day, note }: { day: string; note: string },
): Practice {
  const { polarity, type, locus, frequency, sessions, agents, evidence } = pattern
  return {
    id: pattern.id,
    path: freePath(layout, draft.title, pattern.id),
    ...draft,
    version: firstVersion,
    status: 'approved',
    pattern: { polarity, type, locus },
    provenance: { frequency, sessions, agents, evidence, examples: examplesOf(pattern) },
    history: [{ version: firstVersion, day, what: withNote('approved', note) }],
  }
}

export function withNote(what: string, note: string): string {
  return note.trim() === '' ? what : `${what}: ${oneLine(note)}`
}

const maxExamples = 5
const maxDetail = 200

function examplesOf({ examples }: Pattern): string[] {
  const lines = examples.map(
    ({ session, seq, detail }) => `${session}${seq === null ? '' : `#${seq}`}: ${truncate(oneLine(detail), maxDetail)}`,
  )
  return [...new Set(lines)].slice(0, maxExamples)
}
