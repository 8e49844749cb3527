// The fields of a memory, once: how each is stored in the ledger, bounded in a synced document, and
// named in the frontmatter of a memory file. A new field of `Memory` is a row here, a column in a
// migration, and a schema in schema.ts if it is synced.
import { maxLinks } from './links.ts'
import {
  type Memory,
  maxMemoryLength,
  memoryKinds,
  memoryReasons,
  memoryStatuses,
  memoryTrusts,
  memoryTypes,
} from './memory.ts'

export interface MemoryField {
  /** Column of the table `memories`. */
  column: string
  /** `json` is stored as JSON text; `time` is an ISO date-time. */
  storage: 'text' | 'time' | 'number' | 'json'
  /** The values of an enumeration. */
  values?: readonly string[]
  isNullable?: boolean
  /** Part of the document that is synced; the others are local to a machine. */
  isSynced?: boolean
  /** An empty list is left out of documents, which have been without the field before. */
  isLeftOutEmpty?: boolean
  /** Longest text, most items of a list, or greatest number in a synced document. */
  max?: number
  min?: number
  frontmatter?: {
    key: string
    /** `optional` fields are written only if they are set. */
    isOptional?: boolean
    /** A person can change it in the file. */
    isEditable?: boolean
    /** Written only in files of team memories; elsewhere the key belongs to the person. */
    isTeamOnly?: boolean
  }
}

/** A memory with its counts beside the other fields, as rows and documents have it. */
export type FlatMemory = Omit<Memory, 'counts'> & Memory['counts']

/** In the order of the frontmatter. */
export const memoryFields = {
  type: field('type', 'text', { values: memoryTypes, isSynced: true, frontmatter: { key: 'type', isEditable: true } }),
  kind: field('kind', 'text', { values: memoryKinds, isSynced: true, frontmatter: { key: 'kind', isEditable: true } }),
  status: field('status', 'text', {
    values: memoryStatuses,
    isSynced: true,
    frontmatter: { key: 'status', isEditable: true },
  }),
  trust: field('trust', 'text', { values: memoryTrusts, isSynced: true, frontmatter: { key: 'trust' } }),
  because: field('because', 'text', { values: memoryReasons, frontmatter: { key: 'because' } }),
  importance: field('importance', 'number', {
    isSynced: true,
    min: 0,
    max: 1,
    frontmatter: { key: 'importance', isEditable: true },
  }),
  tags: field('tags', 'json', { isSynced: true, max: 50, frontmatter: { key: 'tags', isEditable: true } }),
  learnedAt: field('learned_at', 'time', { isSynced: true, frontmatter: { key: 'learned' } }),
  confirmedAt: field('confirmed_at', 'time', { isSynced: true, frontmatter: { key: 'confirmed' } }),
  said: field('said', 'number', { isSynced: true, min: 0, frontmatter: { key: 'said' } }),
  project: field('project', 'text', { isNullable: true, isSynced: true, frontmatter: { key: 'project' } }),
  id: field('id', 'text', { frontmatter: { key: 'id' } }),
  space: field('space', 'text', {
    isNullable: true,
    frontmatter: { key: 'space', isOptional: true, isTeamOnly: true },
  }),
  author: field('author', 'text', {
    isNullable: true,
    frontmatter: { key: 'author', isOptional: true, isTeamOnly: true },
  }),
  supersededBy: field('superseded_by', 'text', {
    isNullable: true,
    isSynced: true,
    frontmatter: { key: 'supersededBy', isOptional: true },
  }),
  links: field('links', 'json', {
    isSynced: true,
    isLeftOutEmpty: true,
    max: maxLinks,
    frontmatter: { key: 'links', isOptional: true, isEditable: true },
  }),
  doubt: field('doubt', 'text', {
    isNullable: true,
    isSynced: true,
    max: 1000,
    frontmatter: { key: 'doubt', isOptional: true },
  }),
  contradicts: field('contradicts', 'text', {
    isNullable: true,
    isSynced: true,
    frontmatter: { key: 'contradicts', isOptional: true },
  }),
  state: field('state', 'text', { isSynced: true }),
  text: field('text', 'text', { isSynced: true, max: maxMemoryLength }),
  why: field('why', 'text', { isNullable: true, isSynced: true, max: 4000 }),
  apply: field('apply', 'text', { isNullable: true, isSynced: true, max: 4000 }),
  keywords: field('keywords', 'json', { isSynced: true, max: 100 }),
  evidence: field('evidence', 'json', { isSynced: true }),
  validFrom: field('valid_from', 'time', { isSynced: true }),
  supersededAt: field('superseded_at', 'time', { isNullable: true, isSynced: true }),
  score: field('score', 'number', { isNullable: true }),
  shown: field('shown', 'number'),
  used: field('used', 'number'),
  version: field('version', 'number', { isSynced: true, min: 1 }),
  origin: field('origin', 'text', { isSynced: true, max: 300 }),
} satisfies Record<keyof FlatMemory, MemoryField>

export const memoryFieldEntries = Object.entries(memoryFields) as [keyof FlatMemory, MemoryField][]

export function flatten({ counts, ...memory }: Memory): FlatMemory {
  return { ...memory, ...counts }
}

function field<More extends Omit<MemoryField, 'column' | 'storage'>>(
  column: string,
  storage: MemoryField['storage'],
  more: More = {} as More,
): Pick<MemoryField, 'column' | 'storage'> & More {
  return { column, storage, ...more }
}
