// The sections in which statements are shown, the same in briefs and articles.
import { type Memory, type MemoryKind, memoryKinds } from './memory.ts'

/** Titles, in the order in which they are shown. */
export const statementSections = {
  rules: 'Rules',
  decisions: 'Decisions',
  traps: 'Traps and fixes',
  facts: 'Facts',
} as const

export type StatementSection = keyof typeof statementSections

/** What was tried and failed is a known problem, whatever its kind. */
export function statementSectionOf({ kind, status }: Pick<Memory, 'kind' | 'status'>): StatementSection {
  return status === 'tried-and-failed' ? 'traps' : sectionOfKind[kind]
}

/** The kinds whose settled statements are in a section. */
export function kindsIn(section: StatementSection): MemoryKind[] {
  return memoryKinds.filter((kind) => sectionOfKind[kind] === section)
}

const sectionOfKind: Readonly<Record<MemoryKind, StatementSection>> = {
  correction: 'rules',
  preference: 'rules',
  // "Before a release, build the site" is to be followed, not just known.
  operational: 'rules',
  decision: 'decisions',
  debugging: 'traps',
  workaround: 'traps',
  fact: 'facts',
}
