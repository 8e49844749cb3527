// Drafts the practice of a pattern: shown to a person, edited as a file, and approved.

import { UserError } from '../../core/errors.ts'
import type { Layout } from '../../core/paths.ts'
import { oneLine, truncate } from '../../text/truncate.ts'
import { freePracticePath } from '../catalogue.ts'
import { firstVersion, parsePractice } from '../practice-file.ts'
import { renderPractice } from '../practice-render.ts'
import type { Pattern, Practice } from '../types.ts'
import { defaultWording } from './templates.ts'

/** Fields that a person may edit before approval. */
export type PracticeDraft = Pick<Practice, 'title' | 'problem' | 'rule' | 'steps' | 'agents' | 'projects'>

export function createDraft(pattern: Pattern): PracticeDraft {
  const { steps = [], ...wording } = defaultWording(pattern.type, pattern.locus)
  return { ...wording, steps, ...draftScope(pattern) }
}

/** Agents and projects with evidence; empty (all) where several agents or projects are affected. */
function draftScope({ agents, projects, crossAgent }: Pattern): Pick<PracticeDraft, 'agents' | 'projects'> {
  return { agents: crossAgent ? [] : agents, projects: crossAgent && projects.length > 1 ? [] : projects }
}

export function practiceFromDraft(
  layout: Layout,
  pattern: Pattern,
  draft: PracticeDraft,
  { day, note }: { day: string; note: string },
): Practice {
  const { polarity, type, locus, frequency, sessions, agents, evidence } = pattern
  return {
    id: pattern.id,
    path: freePracticePath(layout, draft.title, pattern.id),
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

export async function renderDraft(layout: Layout, pattern: Pattern, draft: PracticeDraft): Promise<string> {
  const practice = practiceFromDraft(layout, pattern, draft, { day: '', note: '' })
  return String(await renderPractice({ ...practice, history: [] }))
}

export async function parseDraft(text: string): Promise<PracticeDraft> {
  const read = await parsePractice('practices/draft', Buffer.from(text))
  if (read.kind === 'bad')
    throw new UserError(`Line ${read.line}: ${read.reason}`, 'Nothing was changed: edit it again.')
  if (read.kind === 'note') throw new UserError('Missing section "## Rule"', 'Nothing was changed: edit it again.')
  const { title, problem, rule, steps, agents, projects } = read.practice
  return { title, problem, rule, steps, agents, projects }
}
