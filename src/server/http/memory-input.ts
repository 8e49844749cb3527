// Schemas and conversion of memories that are created or changed through the API.
import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { type Clock, isoTime } from '../../core/clock.ts'
import { typeOf } from '../../memory/draft.ts'
import { memoryTrusts, memoryTypes, serverOrigin } from '../../memory/memory.ts'
import { memoryInputFields } from '../../memory/schema.ts'
import type { MemoryDocument } from '../../sync/documents.ts'
import type { ItemDocument } from '../../sync/protocol.ts'
import { keywordsOf } from '../../text/statement.ts'

export const newMemorySchema = z.strictObject({
  ...z.object(memoryInputFields).partial().shape,
  text: memoryInputFields.text,
  project: z.string().min(1).max(1000).nullable().optional(),
  type: z.enum(memoryTypes).optional(),
  /** The attribution; programs that do not set it get the lowest. */
  trust: z.enum(memoryTrusts).default('imported'),
})
type NewMemory = z.infer<typeof newMemorySchema>

export const memoryChanges = z
  .strictObject(memoryInputFields)
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'has nothing to change')
export type MemoryChanges = z.infer<typeof memoryChanges>

export function newMemory(given: NewMemory, clock: Clock): ItemDocument {
  const { text, kind = 'fact', project = null, trust } = given
  const at = isoTime(clock.nowMs())
  return {
    project,
    // Without a project it is about all projects, not about the person: type `user` has to be given.
    type: given.type ?? typeOf(kind, 'project', text),
    kind,
    status: given.status ?? 'settled',
    state: 'kept',
    text,
    why: given.why ?? null,
    apply: given.apply ?? null,
    importance: given.importance ?? 0.5,
    tags: given.tags ?? [],
    keywords: given.keywords ?? keywordsOf(text),
    evidence: [{ session: null, event: null, quote: text }],
    trust,
    learnedAt: at,
    validFrom: at,
    confirmedAt: at,
    supersededAt: null,
    supersededBy: null,
    contradicts: null,
    doubt: null,
    said: 1,
    version: 1,
    origin: serverOrigin,
  } satisfies MemoryDocument
}

export function applyMemoryChanges(document: ItemDocument, changes: MemoryChanges): ItemDocument {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...document, ...Object.fromEntries(given), version: Number(document.version) + 1 }
}

/** The same format as on clients: `m-` and ten characters. */
export function newMemoryId(): string {
  return `m-${[...randomBytes(10)].map((byte) => alphabet[byte % 32]).join('')}`
}

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
