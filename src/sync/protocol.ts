// The sync protocol: schemas shared by client and server. An item lies in a space and has a
// version; who changes it sends the version that they have seen.
import * as z from 'zod'

export const itemKinds = ['memory', 'practice', 'pattern', 'share', 'session'] as const
export type ItemKind = (typeof itemKinds)[number]

export const roles = ['reader', 'writer', 'admin'] as const
export type AccessRole = (typeof roles)[number]

export const permissions = ['read', 'write'] as const
export type SharePermission = (typeof permissions)[number]

/** PostgreSQL stores neither NUL nor lone surrogates in JSON. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\u0000') && value.isWellFormed(), 'has characters that cannot be stored')

/** Memory ids have no prefix; the others have `practice:`, `pattern:`, `share:` or `session:`. */
export const itemId = text(300).regex(/^[^\s/?#%\\]+$/, 'has characters that no id has')

/** `me`, `shared` (memories that others share with me), or `team:<name>`. */
export const spaceName = z.string().regex(/^(?:me|shared|team:[a-z0-9][a-z0-9-]{0,62})$/, 'is not the name of a space')

/** Its schema depends on the kind (documents.ts). The server stores unknown fields unchanged. */
export const itemDocument = z.record(z.string(), z.json())
export type ItemDocument = z.infer<typeof itemDocument>

/** The version that the sender has seen; null if none. */
const baseSchema = z.strictObject({ version: z.int().min(0), hash: z.string().min(1).max(64) })
export type ItemBase = z.infer<typeof baseSchema>

/** An item of a space. Deleted items have no document. */
export const itemSchema = z.object({
  id: itemId,
  kind: z.enum(itemKinds),
  /** Position in the order of the changes of the space. */
  seq: z.int(),
  version: z.int(),
  hash: z.string(),
  document: itemDocument.nullable(),
  /** The user who wrote this version. */
  author: z.string(),
  /** For items shared into this space: the owner, and whether that is the caller. */
  sharedBy: z.strictObject({ user: z.string(), isMine: z.boolean(), permission: z.enum(permissions) }).nullable(),
})
export type SyncItem = z.infer<typeof itemSchema>

export const maxItems = 500
export const maxBatchBytes = 2_000_000
export const maxDocumentBytes = 64_000

/** Parts of sessions are larger than other documents. */
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
        /** Null deletes the item. */
        document: itemDocument.nullable(),
      }),
    )
    .max(maxItems),
})
export type PushRequest = z.infer<typeof pushSchema>
export type PushedItem = PushRequest['items'][number]

/** One result per item, in the order of the request. */
const pushResultSchema = z.discriminatedUnion('status', [
  /** The item has the pushed content now, or had it before. */
  z.object({ status: z.literal('stored'), id: itemId, version: z.int(), hash: z.string() }),
  /** Another change came first; `current` is the stored item. Nothing was written. */
  z.object({ status: z.literal('conflict'), id: itemId, current: itemSchema }),
  /** Another item of the space has the same text. Nothing was written. */
  z.object({ status: z.literal('duplicate'), id: itemId, of: itemSchema }),
  /** Rejected for good. `rules` names the redaction rules that matched, never the text. */
  z.object({
    status: z.literal('refused'),
    id: itemId,
    reason: z.enum(['secret', 'invalid', 'too large', 'not allowed']),
    message: z.string(),
    rules: z.array(z.string()).optional(),
  }),
])
export type PushResult = z.infer<typeof pushResultSchema>
export const pushResponseSchema = z.object({ results: z.array(pushResultSchema).max(maxItems) })

/**
 * Items behind a cursor in order, each once with its current content. `isReset`: the cursor is
 * invalid.
 */
export const pullPageSchema = z.object({
  items: z.array(itemSchema).max(maxItems),
  cursor: z.int().min(0),
  hasMore: z.boolean(),
  isReset: z.boolean(),
})
export type PullPage = z.infer<typeof pullPageSchema>

/** Per non-empty bucket: its number, its items (deleted ones too), and the sum of their marks. */
export const summarySchema = z.object({
  buckets: z.array(z.tuple([z.int().min(0).max(255), z.int(), z.string()])).max(256),
})
export type SpaceSummary = z.infer<typeof summarySchema>

export const bucketSchema = z.object({ items: z.array(itemSchema) })

/** The user of a key and the spaces that it gives access to. */
export const accountInfoSchema = z.object({
  user: z.string(),
  /** Shares of others that wait for the user's decision. Servers before 2026-11-17 do not send it. */
  pendingShares: z.int().min(0).default(0),
  key: z.object({ id: z.string(), role: z.enum(roles), expiresAt: z.string().nullable() }),
  spaces: z.array(
    z.object({
      name: spaceName,
      /** Unchanged when a team is renamed. */
      id: z.string(),
      role: z.enum(roles),
      /** Only these projects, and items without a project; null for all. */
      projects: z.array(z.string()).nullable(),
      /** Number of its last change; a cursor at this number is up to date. */
      seq: z.int(),
    }),
  ),
})
export type AccountInfo = z.infer<typeof accountInfoSchema>

/** The body of every error response. */
export const problemSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }),
})
export type ProblemBody = z.infer<typeof problemSchema>
