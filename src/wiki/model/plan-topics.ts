// Asks a model about the topics of projects with memories that it has not read, and saves what it
// says. The compiler uses it until the memories change; without a model the last answer stays.
import { type Clock, isoTime } from '../../core/clock.ts'
import type { Memory } from '../../memory/memory.ts'
import type { ModelQuestion, ModelResponse } from '../../models/context.ts'
import { readValue, writeValue } from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import {
  type DeadLetter,
  deleteDeadLetter,
  listDeadLetters,
  saveDeadLetter,
} from '../../store/memories/dead-letters.ts'
import { listMemories, projectsWithMemories } from '../../store/memories/memories.ts'
import { projectName } from '../../store/sessions/projects.ts'
import { compiledArticles } from '../../store/wiki/compile-inputs.ts'
import { saveTopicPlan, statementMark, type TopicPlan, topicPlan } from '../../store/wiki/topic-plans.ts'
import { isWorthAnArticle, successionsOf } from '../compile/successions.ts'
import { topicsOf } from '../compile/topics.ts'
import type { TopicsToName } from './question.ts'
import type { RefusedTopic } from './validate.ts'

interface PlanContext {
  ledger: Ledger
  clock: Clock
  ask<T>(question: ModelQuestion<T>): Promise<ModelResponse<T>>
}

export interface ModelReport {
  /** Projects whose topics have changed; null for memories of no project. */
  projects: (string | null)[]
  refused: RefusedTopic[]
  costUsd: number
  /** Why it stopped before the last project; null if it did not. */
  stopped: 'nobody' | 'failed' | 'limit' | null
}

/** Questions per build. */
const maxQuestions = 10

/** `sinceDay`: only projects with unread memories of this day or later. */
export async function planTopics(context: PlanContext, { sinceDay }: { sinceDay: string }): Promise<ModelReport> {
  const { ledger, clock } = context
  const report: ModelReport = { projects: [], refused: [], costUsd: 0, stopped: null }
  if (isPaused(context)) return { ...report, stopped: 'nobody' }
  const letters = lettersByName(ledger)
  // Large modules, needed only if a model is asked.
  const [{ topicsQuestion, questionName }, { validateTopics }] = await Promise.all([
    import('./question.ts'),
    import('./validate.ts'),
  ])
  for (const project of projectsWithMemories(ledger)) {
    const shown = await topicsToName(ledger, project, sinceDay)
    const letter = letters.get(questionName(project))
    if (!shown || isWaiting(letter, shown, clock)) continue
    if (report.projects.length === maxQuestions) return { ...report, stopped: 'limit' }
    const answer = await context.ask(topicsQuestion(shown))
    if (answer.kind !== 'answered') {
      if (answer.kind === 'failed') saveFailure(context, questionName(project), shown, answer)
      else writeValue(ledger, pauseKey, clock.nowMs())
      // The next question would probably fail for the same reason.
      return { ...report, stopped: answer.kind === 'failed' ? 'failed' : 'nobody' }
    }
    const { refused, ...valid } = validateTopics(answer.value, shown)
    ledger.transaction(() => {
      saveTopicPlan(
        ledger,
        project,
        mergedPlan(topicPlan(ledger, project), valid, shown, `${answer.provider} ${answer.model}`),
      )
      if (letter) deleteDeadLetter(ledger, letter.id)
    })
    report.projects.push(project)
    report.refused.push(...refused)
    report.costUsd += answer.costUsd
  }
  return report
}

/** Undefined if the model has read everything, or there is too little to group. */
async function topicsToName(
  ledger: Ledger,
  project: string | null,
  sinceDay: string,
): Promise<TopicsToName | undefined> {
  const memories = listMemories(ledger, { project, state: 'kept' })
  const plan = topicPlan(ledger, project)
  const isUnread = (memory: Memory) => plan.read[memory.id] !== statementMark(memory)
  const unread = memories.filter(isUnread)
  if (!unread.some(({ confirmedAt }) => confirmedAt.slice(0, 10) >= sinceDay)) return undefined
  const successions = successionsOf(memories)
  if (successions.length < minSuccessions || !isWorthAnArticle(successions)) return undefined
  const name = project === null ? '' : (projectName(ledger, project) ?? project)
  const articles = compiledArticles(ledger).filter((article) => article.project === project)
  const known = new Set(articles.flatMap(({ topic }) => topic ?? []))
  const told = successions.flatMap(({ memory, earlier }) => [memory, ...earlier])
  return {
    project,
    name,
    topics: topicsOf({ name, successions, known, plan }).topics,
    memories: await fitting([...told.filter(isUnread), ...told.filter((memory) => !isUnread(memory))]),
  }
}

/** Fewer statements fit on one page, without a model. */
const minSuccessions = 3

/** As many as the question holds; unread and important ones come first. */
async function fitting(memories: readonly Memory[]): Promise<Memory[]> {
  const { maxMemoriesText, memoryText } = await import('./question.ts')
  let left = maxMemoriesText
  const found: Memory[] = []
  for (const memory of memories) {
    left -= memoryText(memory).length + 1
    if (left < 0) break
    found.push(memory)
  }
  return found
}

/** Statements that the model was not shown stay where they were. */
function mergedPlan(
  before: TopicPlan,
  valid: Pick<TopicPlan, 'topics' | 'connections'>,
  { memories }: TopicsToName,
  by: string,
): TopicPlan {
  const shown = new Set(memories.map(({ id }) => id))
  const unseen = before.topics
    .map((topic) => ({ ...topic, memories: topic.memories.filter((id) => !shown.has(id)) }))
    .filter((topic) => topic.memories.length > 0)
  const added = new Map(unseen.map((topic) => [topic.key, topic]))
  const topics = valid.topics.map((topic) => {
    const old = added.get(topic.key)
    added.delete(topic.key)
    return old ? { ...topic, memories: [...topic.memories, ...old.memories] } : topic
  })
  const read = Object.fromEntries(memories.map((memory) => [memory.id, statementMark(memory)]))
  return {
    by,
    read: { ...before.read, ...read },
    topics: [...topics, ...added.values()],
    connections: valid.connections,
  }
}

/** After no model was available, do not try again for this time. */
const pauseMs = 3_600_000
const pauseKey = 'wiki found no model'

function isPaused({ ledger, clock }: PlanContext): boolean {
  const since = clock.nowMs() - Number(readValue(ledger, pauseKey) ?? 0)
  return since >= 0 && since < pauseMs
}

/** Deletes those of earlier versions, which asked about days of the journal. */
function lettersByName(ledger: Ledger): Map<string, DeadLetter> {
  const letters = listDeadLetters(ledger).filter(({ purpose }) => purpose === 'wiki')
  for (const { id, session } of letters) if (!session.startsWith('project:')) deleteDeadLetter(ledger, id)
  return new Map(letters.map((letter) => [letter.session, letter]))
}

/** A quarantined question is asked again only after the memories have changed. */
function isWaiting(letter: DeadLetter | undefined, { memories }: TopicsToName, clock: Clock): boolean {
  if (!letter) return false
  return letter.nextMs > clock.nowMs() || (letter.isQuarantined && letter.toSeq === memories.length)
}

function saveFailure(
  { ledger, clock }: PlanContext,
  session: string,
  { memories }: TopicsToName,
  { reasons }: Extract<ModelResponse<unknown>, { kind: 'failed' }>,
): void {
  const atMs = clock.nowMs()
  saveDeadLetter(ledger, {
    purpose: 'wiki',
    session,
    fromSeq: 0,
    toSeq: memories.length,
    // The statements are in the ledger.
    input: JSON.stringify({ memories: memories.length }),
    reason: reasons.map(({ provider, reason }) => `${provider}: ${reason}`).join('; '),
    atMs,
    at: isoTime(atMs),
  })
}
