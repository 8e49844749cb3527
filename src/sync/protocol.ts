// What machines and the server say to each other. An item is whatever travels; it lies in a space and has a version, and whoever
// changes it says which version they have seen. Both sides import this file, so neither can drift from the other.
import * as z from 'zod'

export const itemKinds = ['memory', 'practice', 'pattern', 'share', 'session'] as const
export type ItemKind = (typeof itemKinds)[number]

export const roles = ['reader', 'writer', 'admin'] as const
export type AccessRole = (typeof roles)[number]

export const permissions = ['read', 'write'] as const
export type SharePermission = (typeof permissions)[number]

/** Postgres keeps neither NUL nor half of a surrogate pair in its JSON. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\u0000') && value.isWellFormed(), 'has characters that cannot be stored')

/** Ids of memories, and `practice:`, `pattern:`, `share:`, `session:` before those of the others. */
export const itemId = text(300).regex(/^[^\s/?#%\\]+$/, 'has characters that no id has')

/** `me`, `shared` (what others share with me), or `team:<name>`. */
export const spaceName = z.string().regex(/^(?:me|shared|team:[a-z0-9][a-z0-9-]{0,62})$/, 'is not the name of a space')

/** A JSON object whose meaning is the kind's; the server reads what it searches by (documents.ts) and keeps the rest as it is. */
export const itemDocument = z.record(z.string(), z.json())
export type ItemDocument = z.infer<typeof itemDocument>

/** What somebody has seen of an item; null where they know of none. */
const baseSchema = z.strictObject({ version: z.int().min(0), hash: z.string().min(1).max(64) })
export type ItemBase = z.infer<typeof baseSchema>

/** An item as a space holds it. Deleted ones have no document. */
export const itemSchema = z.object({
  id: itemId,
  kind: z.enum(itemKinds),
  /** The place in the order in which the space took its changes. */
  seq: z.int(),
  version: z.int(),
  hash: z.string(),
  document: itemDocument.nullable(),
  /** Who wrote this version. */
  author: z.string(),
  /** Where it is shared into this space: whose it is, and whether that is the one who asks. */
  sharedBy: z.strictObject({ user: z.string(), isMine: z.boolean(), permission: z.enum(permissions) }).nullable(),
})
export type SyncItem = z.infer<typeof itemSchema>

export const maxItems = 500
export const maxBatchBytes = 2_000_000
export const maxDocumentBytes = 64_000

/** A part of a session is larger than what anybody says in one piece. */
export function maxBytesOf(kind: ItemKind): number {
  return kind === 'session' ? 256_000 : maxDocumentBytes
}

export const pushSchema = z.strictObject({
  items: z
    .array(
      z.strictObject({
        id: itemId,
        kind: z.enum(itemKinds),
        base: baseSchema.nullable(),
        /** Null deletes it. */
        document: itemDocument.nullable(),
      }),
    )
    .max(maxItems),
})
export type PushRequest = z.infer<typeof pushSchema>
export type PushedItem = PushRequest['items'][number]

/** One for each item, in the order in which they came. */
const pushResultSchema = z.discriminatedUnion('status', [
  /** It is now what was pushed, or it was already. */
  z.object({ status: z.literal('stored'), id: itemId, version: z.int(), hash: z.string() }),
  /** Somebody else changed it: this is what is there. Nothing was written. */
  z.object({ status: z.literal('conflict'), id: itemId, current: itemSchema }),
  /** Another item of the space says the same: this one. Nothing was written. */
  z.object({ status: z.literal('duplicate'), id: itemId, of: itemSchema }),
  /** It will never be taken as it is. `rules` names the secrets that were seen, never their text. */
  z.object({
    status: z.literal('refused'),
    id: itemId,
    reason: z.enum(['secret', 'invalid', 'too large', 'not allowed']),
    message: z.string(),
    rules: z.array(z.string()).optional(),
  }),
])
export type PushResult = z.infer<typeof pushResultSchema>
export const pushResponseSchema = z.object({ results: z.array(pushResultSchema) })
export type PushResponse = z.infer<typeof pushResponseSchema>

/** Items behind a cursor in their order, each once, as it is now. `cursor` is where to go on; a reset says that the cursor is of another history. */
export const pullPageSchema = z.object({
  items: z.array(itemSchema),
  cursor: z.int(),
  hasMore: z.boolean(),
  isReset: z.boolean(),
})
export type PullPage = z.infer<typeof pullPageSchema>

/** 256 parts of a space by id: how many items each has (deleted ones too) and the sum of their marks. Empty ones are left out. */
export const summarySchema = z.object({
  buckets: z.array(z.tuple([z.int().min(0).max(255), z.int(), z.string()])),
})
export type SpaceSummary = z.infer<typeof summarySchema>

export const bucketSchema = z.object({ items: z.array(itemSchema) })

/** Who a key belongs to and what it opens. */
export const accountInfoSchema = z.object({
  user: z.string(),
  key: z.object({ id: z.string(), role: z.enum(roles), expiresAt: z.string().nullable() }),
  spaces: z.array(
    z.object({
      name: spaceName,
      /** Stays when a team is renamed. */
      id: z.string(),
      role: z.enum(roles),
      /** Only these projects, and what has none; null for all. */
      projects: z.array(z.string()).nullable(),
      /** The number of its last change: whose cursor is there has nothing to read. */
      seq: z.int(),
    }),
  ),
})
export type AccountInfo = z.infer<typeof accountInfoSchema>

/** The body of every answer that is an error. */
export const problemSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }),
})
export type ProblemBody = z.infer<typeof problemSchema>
