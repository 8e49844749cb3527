// Validates the topics of a model item by item: a bad one is left out with a reason, the others are
// kept. Texts must come from memories that the model was shown.
import { excluded } from '../../memory/exclusions.ts'
import type { CitedText, PlannedConnection, PlannedTopic } from '../../store/wiki/topic-plans.ts'
import { slugKey, slugOf } from '../../text/slug.ts'
import { modelName, modelProse } from '../model-prose.ts'
import type { CitedDraft, TopicDraft, TopicsAnswer, TopicsToName } from './question.ts'

export interface RefusedTopic {
  title: string
  reason: string
}

interface ValidTopics {
  topics: PlannedTopic[]
  connections: PlannedConnection[]
  refused: RefusedTopic[]
}

const maxTopics = 40
const maxTitle = 80
const maxAliases = 4
const maxSummary = 600
const maxParagraph = 1300
const maxDetails = 4

export function validateTopics(answer: TopicsAnswer, shown: TopicsToName): ValidTopics {
  const valid: ValidTopics = { topics: [], connections: [], refused: [] }
  const known = new Set(shown.memories.map(({ id }) => id))
  const placed = new Set<string>()
  const continued = new Set<string>()
  for (const draft of answer.topics.slice(0, maxTopics)) {
    const title = modelName(draft.title, maxTitle)
    const refuse = (reason: string) => valid.refused.push({ title: title || 'A topic', reason })
    const problem = titleProblem(title, shown.name)
    if (problem !== undefined) {
      refuse(problem)
      continue
    }
    const same = valid.topics.find((topic) => nameKey(topic.title) === nameKey(title))
    const memories = [...new Set(idsIn(draft.memories))].filter((id) => known.has(id) && !placed.has(id))
    if (memories.length === 0) {
      refuse('It names no statement that is free')
      continue
    }
    for (const id of memories) placed.add(id)
    if (same) same.memories.push(...memories)
    else valid.topics.push({ ...topicOf(draft, title, known), memories, key: keyOf(draft, title, shown, continued) })
  }
  for (const draft of answer.connections) {
    const connection = connectionOf(draft, valid.topics, known)
    if (typeof connection === 'string')
      valid.refused.push({ title: modelName(draft.title, maxTitle), reason: connection })
    else valid.connections.push(connection)
  }
  return valid
}

/** Undefined for a title that a person would choose. */
function titleProblem(title: string, project: string): string | undefined {
  if (title === '') return 'Its title is empty or too long'
  if (nameKey(title) === nameKey(project)) return 'Its title is the name of the project'
  const words = title.split(' ')
  const isIdentifier =
    words.length === 1 && /[\d_./\\]|\p{Ll}\p{Lu}|-/u.test(title) && !/^\p{Lu}[\p{Ll}-]+$/u.test(title)
  if (isIdentifier) return 'Its title is an identifier'
  return exclusionOf(title)
}

/** Articles follow the exclusions of memories; a title or a sentence may be shorter than those. */
function exclusionOf(text: string): string | undefined {
  return excluded({ text: `The page says: ${text}`, trust: 'user said' })
}

function nameKey(name: string): string {
  return slugKey(slugOf(name))
}

/** Models write `m-1`, `[m-1]` and `m-1,`. */
function idsIn(ids: readonly string[]): string[] {
  return ids.map((id) => id.replace(/^[\s[(]+|[\s\]),.;]+$/g, ''))
}

/** A continued topic keeps its key, and so its file; only one topic continues another. */
function keyOf({ was }: TopicDraft, title: string, { topics }: TopicsToName, continued: Set<string>): string {
  const at = Number(/^t?(\d+)$/.exec(was?.trim() ?? '')?.[1] ?? 0) - 1
  const key = topics[at]?.key ?? topics.find((topic) => nameKey(topic.title) === nameKey(title))?.key
  const free = key === undefined || continued.has(key) ? `model:${slugOf(title)}` : key
  continued.add(free)
  return free
}

function topicOf(
  { aliases, memories, summary, details }: TopicDraft,
  title: string,
  known: ReadonlySet<string>,
): Pick<PlannedTopic, 'title' | 'aliases' | 'summary' | 'details'> {
  const names = aliases.map((alias) => modelName(alias, maxTitle)).filter((alias) => alias !== '')
  return {
    title,
    aliases: [...new Set(names)].filter((alias) => nameKey(alias) !== nameKey(title)).slice(0, maxAliases),
    summary: citedText({ text: summary, memories }, known, maxSummary) ?? null,
    details: details.flatMap((one) => citedText(one, known, maxParagraph) ?? []).slice(0, maxDetails),
  }
}

/** Undefined if it is empty, too long, names no statement, or speaks to its reader. */
function citedText({ text, memories }: CitedDraft, known: ReadonlySet<string>, max: number): CitedText | undefined {
  const ids = [...new Set(idsIn(memories))].filter((id) => known.has(id))
  const said = modelProse(text, Number.POSITIVE_INFINITY)
  if (said === '' || said.length > max || ids.length === 0) return undefined
  // Check the sanitised and the original text: escaping could hide a match.
  const isExcluded = [said, text].some((one) => exclusionOf(one) !== undefined)
  return isExcluded ? undefined : { text, memories: ids }
}

function connectionOf(
  { title, connects, insight, evidence }: TopicsAnswer['connections'][number],
  topics: readonly PlannedTopic[],
  known: ReadonlySet<string>,
): PlannedConnection | string {
  const name = modelName(title, maxTitle)
  if (name === '') return 'Its title is empty or too long'
  const keys = connects.flatMap(
    (called) => topics.find((topic) => nameKey(topic.title) === nameKey(modelName(called, maxTitle)))?.key ?? [],
  )
  const said = citedText(insight, known, maxSummary)
  if (new Set(keys).size < 2) return 'It connects fewer than two topics'
  if (!said) return 'Its insight names no statement, or is empty or too long'
  return {
    key: `connection:${slugOf(name)}`,
    title: name,
    connects: [...new Set(keys)],
    insight: said,
    evidence: evidence.flatMap((one) => citedText(one, known, maxSummary) ?? []).slice(0, maxDetails),
  }
}
