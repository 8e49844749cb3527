// Schemas of item documents by kind. Unknown keys are kept, since a newer program may have written
// them.
import * as z from 'zod'
import { eventKinds, isNativeId } from '../core/session.ts'
import { memoryDocumentFields } from '../memory/schema.ts'
import { itemId, permissions } from './protocol.ts'

const moment = z.iso.datetime()

/** A memory without local data: the counts of shown and used, and its space. */
export const memoryDocument = z.looseObject(memoryDocumentFields)
export type MemoryDocument = z.infer<typeof memoryDocument>

/** The Markdown file of a practice in the vault. */
export const practiceDocument = z.looseObject({ title: z.string().max(500), content: z.string().min(1).max(50_000) })

/** The approval of a pattern by the user. */
export const patternDocument = z.looseObject({
  pattern: z.string().max(200),
  verdict: z.string().max(40),
  title: z.string().max(500),
  evidence: z.json(),
  note: z.string().max(4000),
  at: moment,
})

/** Shares an own memory, or all with a tag, with a team or a user. */
export const shareDocument = z.strictObject({
  subject: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('memory'), id: z.string().min(1).max(300) }),
    z.strictObject({ kind: z.literal('tag'), tag: z.string().min(1).max(100) }),
  ]),
  /** `team:<name>` or `user:<name>`. */
  with: z.string().regex(/^(?:team|user):[a-z0-9][a-z0-9-]{0,62}$/),
  permission: z.enum(permissions),
})
export type ShareDocument = z.infer<typeof shareDocument>

/** What other users share, or want to share, with the caller; without the text of memories. */
export const receivedSharesSchema = z.object({
  received: z.array(
    z.object({
      from: z.string(),
      id: itemId,
      subject: shareDocument.shape.subject,
      permission: z.enum(permissions),
      /** Memories that it covers now. */
      items: z.int(),
      state: z.enum(['pending', 'accepted', 'refused']),
      since: z.string(),
    }),
  ),
})
export type ReceivedShare = z.infer<typeof receivedSharesSchema>['received'][number]

export const shareAnswerSchema = z.strictObject({
  /** The name of the user who shares. */
  from: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is not a name'),
  id: itemId,
  answer: z.enum(['accept', 'refuse']),
})

const count = z.int().min(0)
const text = z.string().max(2000).nullable()

/** Common fields of the head and all parts. */
const sessionFields = {
  /** Other machines may have any id of an earlier version: none of them is a harmful one here. */
  uid: z
    .string()
    .min(3)
    .max(1000)
    .refine((uid) => isNativeId(uid.slice(uid.indexOf(':') + 1))),
  agent: z.string().regex(/^[a-z0-9-]{1,60}$/),
}

/** The session without its events. The home folder is written as `~`. */
const sessionHead = z.looseObject({
  ...sessionFields,
  part: z.literal('head'),
  sessionKind: z.enum(['main', 'subagent', 'fork']),
  parent: z.string().max(1000).nullable(),
  forkedFrom: z.string().max(1000).nullable(),
  inherited: count,
  project: z.string().max(1000).nullable(),
  projectKind: z.enum(['remote', 'repository', 'folder']).nullable(),
  remote: text,
  branch: text,
  model: text,
  version: text,
  title: text,
  titleRank: z.int(),
  started: moment.nullable(),
  ended: moment.nullable(),
  events: count,
  /** The name of the machine, and an id that distinguishes machines of the same name. */
  origin: z.string().max(300),
  machine: z.string().min(1).max(100),
})
export type SessionHead = z.infer<typeof sessionHead>

/** A hash of twelve bytes in base64. */
const hashedKey = z.string().regex(/^[A-Za-z0-9+/]{16}$/)

/** Consecutive events in order. Parts are numbered from 0. */
export const sessionEvents = z.looseObject({
  ...sessionFields,
  part: z.literal('events'),
  number: count,
  events: z
    .array(
      z.looseObject({
        id: z.string(),
        key: hashedKey,
        kind: z.enum(eventKinds),
        role: z.enum(['user', 'assistant', 'tool', 'system']),
        ts: z.string().max(64).nullable(),
        text: z.string(),
        tool: z.string().optional(),
        call: z.string().optional(),
        error: z.enum(['failed', 'denied', 'interrupted', 'cancelled']).optional(),
        exit: z.number().optional(),
        files: z
          .array(z.looseObject({ path: z.string(), change: z.enum(['add', 'update', 'delete', 'move']) }))
          .optional(),
        tests: z.looseObject({ passed: z.number(), failed: z.number() }).optional(),
        model: z.string().optional(),
        undoes: z.number().optional(),
        replaces: z.array(z.string()).optional(),
        keepsFrom: z.string().optional(),
      }),
    )
    .min(1),
})
export type SessionEvents = z.infer<typeof sessionEvents>

/** Token usage per response; tuples, because there are many. */
const sessionUsages = z.looseObject({
  ...sessionFields,
  part: z.literal('usages'),
  number: count,
  /** Key, time, model, six token counts, cost, whether the agent recorded the cost, lower bound. */
  usages: z.array(
    z.tuple([
      hashedKey,
      z.int().nullable(),
      text,
      count,
      count,
      count,
      count,
      count,
      count,
      z.number().nullable(),
      z.boolean(),
      z.boolean(),
    ]),
  ),
})
export type SessionUsages = z.infer<typeof sessionUsages>

export const sessionDocument = z.discriminatedUnion('part', [sessionHead, sessionEvents, sessionUsages])
