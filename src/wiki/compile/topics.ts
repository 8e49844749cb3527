// Groups the statements of a project into topics: first as a model has grouped them, then by shared
// tags and subjects. What shares nothing with another statement belongs to the project's article.
import { heuristicTags } from '../../learn/heuristic/attributes.ts'
import { deletionTag } from '../../memory/deletion-proposal.ts'
import { memoryKinds, memoryTypes } from '../../memory/memory.ts'
import type { PlannedTopic, TopicPlan } from '../../store/wiki/topic-plans.ts'
import { isAngry } from '../../text/anger.ts'
import { slugKey, slugOf } from '../../text/slug.ts'
import { conceptOf } from '../../text/synonyms.ts'
import { type Subject, subjectsIn } from './subjects.ts'
import { compare, isWorthAnArticle, type Succession } from './successions.ts'

export interface Topic {
  /** Stable while the title changes: `tag:release`, `subject:release note`, `model:release-process`. */
  key: string
  title: string
  aliases: string[]
  successions: Succession[]
  /** Text by a model, if one has written about it. */
  plan?: PlannedTopic
}

interface TopicInput {
  /** Of the project; its own name is no topic. */
  name: string
  successions: readonly Succession[]
  /** Topics that have an article are preferred, so that articles are stable. */
  known: ReadonlySet<string>
  plan: Pick<TopicPlan, 'topics' | 'read'>
}

export interface Topics {
  topics: Topic[]
  /** Statements without a topic. */
  rest: Succession[]
}

export function topicsOf({ name, successions, known, plan }: TopicInput): Topics {
  const topics: Topic[] = []
  const left = new Set(successions)
  const take = (topic: Topic) => {
    topics.push(topic)
    for (const succession of topic.successions) left.delete(succession)
  }
  const isRead = ({ memory, earlier }: Succession) => [memory, ...earlier].some(({ id }) => id in plan.read)
  for (const planned of plan.topics) {
    const ids = new Set(planned.memories)
    const isAbout = aboutTitle(planned.title)
    const own = [...left].filter((succession) =>
      isRead(succession)
        ? [succession.memory, ...succession.earlier].some(({ id }) => ids.has(id))
        : isAbout(succession),
    )
    if (isWorthAnArticle(own)) take({ ...planned, successions: own, plan: planned })
  }
  // What the model has read and left out belongs to the project.
  const unread = [...left].filter((succession) => !isRead(succession))
  if (successions.length >= minSuccessions) for (const topic of sharedTopics(name, unread, known)) take(topic)
  return { topics, rest: [...left] }
}

/** Whether a statement that the model has not read is about the subject of a title. */
function aboutTitle(title: string): (succession: Succession) => boolean {
  const keys = new Set(subjectsIn(`the ${title}`).map(({ key }) => key))
  return (succession) => subjectsOfSuccession(succession).some(({ key, isLead }) => isLead && keys.has(key))
}

/** A person reads fewer statements faster on one page than on several. */
const minSuccessions = 20
/** Fewer statements are a section, not a page. */
const minTopic = 4
const maxTopics = 40

/** The best topic first, then the best of what is left, until nothing is shared. */
function sharedTopics(name: string, successions: readonly Succession[], known: ReadonlySet<string>): Topic[] {
  const candidates = candidatesOf(name, successions)
  const left = new Set(successions)
  const found: Topic[] = []
  while (found.length < maxTopics) {
    let best: { candidate: Candidate; score: number } | undefined
    for (const candidate of candidates) {
      const score = scoreOf(candidate, left) * (known.has(candidate.key) ? knownFactor : 1)
      if (score > (best?.score ?? 0)) best = { candidate, score }
    }
    if (!best) return found
    const { key, mentions } = best.candidate
    const own = successions.filter((succession) => left.has(succession) && mentions.has(succession))
    found.push({ key, title: titleOf(best.candidate, own, candidates), aliases: [], successions: own })
    for (const succession of own) left.delete(succession)
  }
  return found
}

const knownFactor = 1.5

interface Candidate {
  key: string
  isTag: boolean
  /** Weight of the subject in each succession: more if the statement is about it first of all. */
  mentions: Map<Succession, number>
  /** Ways in which it is written, with how often. */
  forms: Map<string, number>
  isHead: boolean
}

/** Sorted, so that the same statements give the same topics in whatever order they come. */
function candidatesOf(name: string, successions: readonly Succession[]): Candidate[] {
  const byKey = new Map<string, Candidate>()
  const add = (
    key: string,
    succession: Succession,
    form: string,
    { isTag = false, isLead = false, isHead = true } = {},
  ) => {
    const candidate = byKey.get(key) ?? { key, isTag, mentions: new Map(), forms: new Map(), isHead: false }
    byKey.set(key, candidate)
    candidate.mentions.set(succession, Math.max(candidate.mentions.get(succession) ?? 0, isLead ? 2 : 1))
    candidate.forms.set(form, (candidate.forms.get(form) ?? 0) + (isHead ? 1 : 0.5))
    candidate.isHead ||= isHead
  }
  for (const succession of successions) {
    for (const tag of succession.memory.tags)
      if (isTopicTag(tag)) add(`tag:${conceptKey(tag)}`, succession, tagTitle(tag), { isTag: true, isLead: true })
    for (const one of subjectsOfSuccession(succession)) add(`subject:${one.key}`, succession, one.words, one)
  }
  const own = slugKey(slugOf(name))
  const isWide = ({ size }: ReadonlyMap<Succession, number>) =>
    successions.length > 5 && size > successions.length * maxShare
  return [...byKey.values()]
    .filter(({ mentions, forms, isHead }) => {
      const isProject = [...forms.keys()].some((form) => slugKey(slugOf(form)) === own)
      const isNameable = [...forms.keys()].every((form) => !isAngry(form))
      return mentions.size >= minTopic && isHead && isNameable && !isProject && !isWide(mentions)
    })
    .sort((a, b) => compare(a.key, b.key))
}

/** What more than this share of all statements have in common says nothing about one of them. */
const maxShare = 0.6

export function subjectsOfSuccession({ memory, earlier }: Succession): Subject[] {
  return [memory, ...earlier].flatMap(({ text }, at) =>
    subjectsIn(text).map((subject) => ({ ...subject, isLead: subject.isLead && at === 0 })),
  )
}

/** Half of the statements must be about it first of all; a word that most only mention is chance. */
function scoreOf({ mentions, isTag, key }: Candidate, left: ReadonlySet<Succession>): number {
  let [count, sum] = [0, 0]
  for (const [succession, weight] of mentions) {
    if (!left.has(succession)) continue
    count++
    sum += weight
  }
  if (count < minTopic || sum < count * 1.5) return 0
  return sum * (isTag ? 3 : key.includes(' ') ? 2 : 1)
}

/** Kinds and types of memories, and marks of programs, are tags that name no topic. */
function isTopicTag(tag: string): boolean {
  return (
    /^\p{L}[\p{L}\p{M}\p{N} -]*$/u.test(tag) && tag.length >= 2 && tag.length <= 40 && !plainTags.has(tag.toLowerCase())
  )
}

const plainTags: ReadonlySet<string> = new Set([
  ...memoryKinds,
  ...memoryTypes,
  ...heuristicTags,
  deletionTag,
  ...'important todo misc general other rule rules memory memories project'.split(' '),
])

function conceptKey(tag: string): string {
  return tag
    .toLowerCase()
    .split(/[\s-]+/)
    .map(conceptOf)
    .join(' ')
}

function tagTitle(tag: string): string {
  return tag.replaceAll('-', ' ')
}

/** `Dates and UTC`: the subject, and a second one that most statements of the topic share. */
function titleOf(topic: Candidate, own: readonly Succession[], candidates: readonly Candidate[]): string {
  const first = formOf(topic)
  const partsOf = (key: string) => key.replace(/^\w+:/, '').split(/[ -]/)
  const parts = new Set(partsOf(topic.key))
  const second = candidates
    .filter(({ key, isTag }) => !isTag && !partsOf(key).some((part) => parts.has(part)))
    .map((candidate) => ({ candidate, count: own.filter((succession) => candidate.mentions.has(succession)).length }))
    .filter(({ count }) => count >= 2 && count * 2 > own.length)
    .sort((a, b) => b.count - a.count || b.candidate.key.split(' ').length - a.candidate.key.split(' ').length)[0]
  return capitalised(second ? `${first} and ${lowerFirst(formOf(second.candidate))}` : first)
}

/** The plural if it occurs, else the most frequent form. */
function formOf({ forms }: Candidate): string {
  const counted = new Map<string, number>()
  for (const [form, times] of forms) {
    const plain = isAcronym(form) ? form : lowerFirst(form)
    counted.set(plain, (counted.get(plain) ?? 0) + times)
  }
  return [...counted].sort(
    (a, b) =>
      Number(isPlural(b[0])) - Number(isPlural(a[0])) ||
      b[1] - a[1] ||
      b[0].length - a[0].length ||
      compare(a[0], b[0]),
  )[0]![0]
}

function isPlural(form: string): boolean {
  return /[^s]s$/.test(form)
}

function isAcronym(form: string): boolean {
  return /^\p{Lu}{2,}/u.test(form)
}

function lowerFirst(form: string): string {
  return isAcronym(form) ? form : form.replace(/^./u, (letter) => letter.toLowerCase())
}

/** Names such as `pnpm` are written in lower case. */
function capitalised(title: string): string {
  return /^[^aeiouy\s]+(?:\s|$)/.test(title) ? title : title.replace(/^./u, (letter) => letter.toUpperCase())
}
