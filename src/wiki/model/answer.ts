// What a model may answer: drafts of articles. Nothing in here is believed yet; validated.ts decides what becomes of it.
import * as z from 'zod'

const statement = z.object({ text: z.string(), sessions: z.array(z.string()).catch([]) })

const draft = z.object({
  kind: z.enum(['concept', 'connection']),
  /** Of an article that is there; null for a new one. */
  path: z.string().nullish(),
  title: z.string(),
  aliases: z.array(z.string()).catch([]),
  tags: z.array(z.string()).catch([]),
  summary: z.string(),
  keyPoints: z.array(statement).catch([]),
  /** A paragraph each. */
  details: z.array(statement).catch([]),
  related: z.array(z.string()).catch([]),
  /** What a connection has instead of key points and details. */
  connects: z.array(z.string()).catch([]),
  insight: z.string().catch(''),
  evidence: z.array(statement).catch([]),
  /** Sessions, for what names none itself. */
  sources: z.array(z.string()).catch([]),
})

/** An empty list says that there is nothing worth saying. */
export const answerSchema = z.object({ articles: z.array(draft) })

export type WikiAnswer = z.infer<typeof answerSchema>
export type Draft = z.infer<typeof draft>
export type DraftStatement = z.infer<typeof statement>

export const maxDrafts = 10
