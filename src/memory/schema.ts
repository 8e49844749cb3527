// Schemas of the fields of a memory: what a synced document may hold, and what the API and the MCP
// tools accept. Apart from fields.ts, because zod is slow to load and most commands do not need it.
import * as z from 'zod'
import { memoryFields } from './fields.ts'
import { foldKind } from './fold-kind.ts'
import { maxMemoryLength, memoryKinds, memoryStatuses, memoryTrusts, memoryTypes } from './memory.ts'

const time = z.iso.datetime()
const importance = z.number().min(memoryFields.importance.min).max(memoryFields.importance.max)

/** The fields of a synced document. The keys are those of fields.ts with `isSynced`. */
export const memoryDocumentFields = {
  project: z.string().min(1).max(1000).nullable(),
  type: z.enum(memoryTypes),
  kind: z.enum(memoryKinds),
  status: z.enum(memoryStatuses),
  /** Forgotten memories are deleted items. */
  state: z.enum(['kept', 'inbox']),
  text: z.string().min(1).max(memoryFields.text.max),
  why: z.string().max(memoryFields.why.max).nullable(),
  apply: z.string().max(memoryFields.apply.max).nullable(),
  importance,
  tags: z.array(z.string().max(100)).max(memoryFields.tags.max),
  keywords: z.array(z.string().max(200)).max(memoryFields.keywords.max),
  /** Of any type: one that a later version adds is kept. */
  links: z
    .array(z.string().regex(/^[a-z-]{1,40} [^\s/?#%\\]{1,300}$/))
    .max(memoryFields.links.max)
    .optional(),
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
  learnedAt: time,
  validFrom: time,
  confirmedAt: time,
  supersededAt: time.nullable(),
  supersededBy: z.string().max(300).nullable(),
  contradicts: z.string().max(300).nullable(),
  doubt: z.string().max(memoryFields.doubt.max).nullable(),
  said: z.int().min(0),
  version: z.int().min(1),
  origin: z.string().max(memoryFields.origin.max),
}

/** A kind as a program names it: unknown ones are folded, not refused. */
const givenKind = memoryDocumentFields.kind.catch((context) => foldKind(context?.value))

const filledText = (max: number) => z.string().trim().min(1).max(max)

/** What a program may set through the API. */
export const memoryInputFields = {
  text: filledText(memoryFields.text.max),
  why: filledText(memoryFields.why.max).nullable(),
  apply: filledText(memoryFields.apply.max).nullable(),
  kind: givenKind,
  status: memoryDocumentFields.status,
  importance,
  tags: z.array(filledText(100)).max(memoryFields.tags.max),
  keywords: z.array(filledText(200)).max(memoryFields.keywords.max),
}

const toolText = z
  .string()
  .trim()
  .min(1, 'A memory needs a text: one statement that can be read alone')
  .max(maxMemoryLength, `A memory has at most ${maxMemoryLength} characters: store several, each about one thing`)
  .describe('one statement that can be read alone, without this conversation')

/** Optional arguments of the tools that store or update a memory. */
const toolDetails = {
  why: filledText(1000).optional().describe('the reason'),
  apply: filledText(1000).optional().describe('when and how to use it'),
  tags: z.array(filledText(40)).max(12).optional().describe('words to sort it by'),
  keywords: z.array(filledText(60)).max(20).optional().describe('further words that somebody might search for'),
  importance: importance.optional().describe('0 to 1 (default: 0.5)'),
}

export const memoryStoreArguments = {
  text: toolText,
  kind: givenKind.default('fact'),
  status: memoryDocumentFields.status.default('settled'),
  ...toolDetails,
}

export const memoryUpdateArguments = {
  text: toolText.optional(),
  kind: givenKind.optional(),
  status: memoryDocumentFields.status.optional(),
  ...toolDetails,
}

export const memoryUpdateHint = 'Give text, why, apply, kind, status, tags, keywords or importance'
