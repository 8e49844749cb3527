// What a model has said about the topics of a project: which statements belong together, how to
// name them, and text about them. Every text names the memories it comes from, so that it is left
// out as soon as one of them has changed or is gone.
import { createHash } from 'node:crypto'
import type { Memory } from '../../memory/memory.ts'
import { deleteValue, isObject, readChecked, writeValue } from '../key-values.ts'
import type { Ledger } from '../ledger.ts'

export interface TopicPlan {
  /** The model. */
  by: string
  /** What it has read: the marks (`statementMark`) of memories by id. */
  read: Record<string, string>
  topics: PlannedTopic[]
  connections: PlannedConnection[]
}

export interface PlannedTopic {
  /** Stable while the title changes. */
  key: string
  title: string
  aliases: string[]
  /** Ids. */
  memories: string[]
  summary: CitedText | null
  /** One paragraph each. */
  details: CitedText[]
}

export interface PlannedConnection {
  key: string
  title: string
  /** Keys of topics. */
  connects: string[]
  insight: CitedText
  evidence: CitedText[]
}

export interface CitedText {
  text: string
  /** Ids; never empty. */
  memories: string[]
}

const emptyPlan: TopicPlan = { by: '', read: {}, topics: [], connections: [] }

export function topicPlan(ledger: Ledger, project: string | null): TopicPlan {
  const isPlan = (value: unknown) =>
    isObject(value as never) &&
    Array.isArray((value as TopicPlan).topics) &&
    isObject((value as TopicPlan).read as never)
  return readChecked<TopicPlan>(ledger, nameOf(project), isPlan) ?? emptyPlan
}

export function saveTopicPlan(ledger: Ledger, project: string | null, plan: TopicPlan): void {
  if (Object.keys(plan.read).length === 0) deleteValue(ledger, nameOf(project))
  else writeValue(ledger, nameOf(project), { ...plan } as never)
}

/** To the new key of a project. */
export function moveTopicPlan(ledger: Ledger, from: string, to: string): void {
  ledger.sql('UPDATE OR REPLACE notes SET name = ? WHERE name = ?').run(nameOf(to), nameOf(from))
}

function nameOf(project: string | null): string {
  return `wiki topics ${project ?? ''}`
}

/** Changes with what a memory says, not with how often it was said. */
export function statementMark({ text, why, apply, status, supersededBy }: Memory): string {
  const said = JSON.stringify([text, why, apply, status, supersededBy])
  return createHash('sha256').update(said).digest('hex').slice(0, 12)
}

/** Without texts that come from memories that no longer exist. */
export function withoutMemories(plan: TopicPlan, exists: (id: string) => boolean): TopicPlan {
  const holds = ({ memories }: CitedText) => memories.every(exists)
  return {
    by: plan.by,
    read: Object.fromEntries(Object.entries(plan.read).filter(([id]) => exists(id))),
    topics: plan.topics
      .map((topic) => ({
        ...topic,
        memories: topic.memories.filter(exists),
        summary: topic.summary && holds(topic.summary) ? topic.summary : null,
        details: topic.details.filter(holds),
      }))
      .filter(({ memories }) => memories.length > 0),
    connections: plan.connections
      .filter(({ insight }) => holds(insight))
      .map((connection) => ({ ...connection, evidence: connection.evidence.filter(holds) })),
  }
}
