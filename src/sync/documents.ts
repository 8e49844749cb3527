// What the documents of items hold, kind by kind. Keys that are not known here are kept: a newer program may have written them.
import * as z from 'zod'
import { eventKinds } from '../core/session.ts'
import { maxMemoryLength, memoryKinds, memoryStatuses, memoryTrusts, memoryTypes } from '../memory/memory.ts'
import { permissions } from './protocol.ts'

const moment = z.iso.datetime()

/** A memory without what is this machine's own: how often it was shown and used, and where it lies. */
export const memoryDocument = z.looseObject({
  project: z.string().min(1).max(1000).nullable(),
  type: z.enum(memoryTypes),
  kind: z.enum(memoryKinds),
  status: z.enum(memoryStatuses),
  /** Forgotten ones are deleted items. */
  state: z.enum(['kept', 'inbox']),
  text: z.string().min(1).max(maxMemoryLength),
  why: z.string().max(4000).nullable(),
  apply: z.string().max(4000).nullable(),
  importance: z.number().min(0).max(1),
  tags: z.array(z.string().max(100)).max(50),
  keywords: z.array(z.string().max(200)).max(100),
  evidence: z.array(
    z.looseObject({
      session: z.string().max(500).nullable(),
      event: z.string().max(500).nullable(),
      quote: z.string().max(8000),
      commit: z.string().max(100).optional(),
      file: z.string().max(1000).optional(),
    }),
  ),
  trust: z.enum(memoryTrusts),
  learnedAt: moment,
  validFrom: moment,
  confirmedAt: moment,
  supersededAt: moment.nullable(),
  supersededBy: z.string().max(300).nullable(),
  contradicts: z.string().max(300).nullable(),
  doubt: z.string().max(1000).nullable(),
  said: z.int().min(0),
  version: z.int().min(1),
  origin: z.string().max(300),
})
export type MemoryDocument = z.infer<typeof memoryDocument>

/** The Markdown file of a practice, as it lies in the vault. */
export const practiceDocument = z.looseObject({ title: z.string().max(500), content: z.string().min(1).max(50_000) })

/** What a person said of a pattern that was approved. */
export const patternDocument = z.looseObject({
  pattern: z.string().max(200),
  verdict: z.string().max(40),
  title: z.string().max(500),
  evidence: z.json(),
  note: z.string().max(4000),
  at: moment,
})

/** A memory of one's own, or all that have a tag, for a team or a person. */
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

const count = z.int().min(0)
const text = z.string().max(2000).nullable()

/** What a session and all of its parts say of themselves: which session, and which machine captured it. */
const ofSession = {
  uid: z.string().min(3).max(1000),
  agent: z.string().regex(/^[a-z0-9-]{1,60}$/),
}

/** Who it is, without its events. The home folder is `~`. */
const sessionHead = z.looseObject({
  ...ofSession,
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
  /** The name of the machine, and what tells it from another of the same name. */
  origin: z.string().max(300),
  machine: z.string().min(1).max(100),
})
export type SessionHead = z.infer<typeof sessionHead>

/** As long as a hash of twelve bytes in base64. */
const hashedKey = z.string().regex(/^[A-Za-z0-9+/]{16}$/)

/** Some consecutive events, in their order. Parts count from 0. */
export const sessionEvents = z.looseObject({
  ...ofSession,
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
      }),
    )
    .min(1),
})
export type SessionEvents = z.infer<typeof sessionEvents>

/** What its responses consumed; each as a list, because there are many. */
const sessionUsages = z.looseObject({
  ...ofSession,
  part: z.literal('usages'),
  number: count,
  /** Key, time, model, input, cache read, cache write, for an hour, output, reasoning, cost, whose cost, at least. */
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
