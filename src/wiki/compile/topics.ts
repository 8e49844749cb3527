// Determines the topics of a project with their memories and sessions. Prefers modules to
// functions, and what several memories share to what one mentions. The rest belongs to the article
// of the project.
import type { Memory } from '../../memory/memory.ts'
import type { JournaledSession } from '../../store/wiki/compile-inputs.ts'
import {
  assignTopics,
  candidatesOf,
  modulesChanged,
  modulesNamed,
  modulesOfSession,
  type SessionContext,
  strongWeight,
  type TopicContext,
  withoutFolder,
} from './assign-topics.ts'
import type { ProjectInput } from './load-input.ts'
import { catalogueOf, titleOfModule } from './module-catalogue.ts'
import { isIdentifier, namesIn, type TextNames } from './names.ts'
import { subjectTitle, tagSubject } from './subjects.ts'

export interface Topic {
  key: string
  title: string
  aliases: string[]
  memories: Memory[]
  sessions: JournaledSession[]
}

/** `rest`: memories and sessions without a topic. */
export interface Topics {
  topics: Topic[]
  rest: Pick<Topic, 'memories' | 'sessions'>
}

const maxTopics = 300
/** Number of sessions that make a topic without memories. */
const minSessions = 4

export function topicsOf(input: ProjectInput): Topics {
  const memories = input.memories.toSorted(byTime)
  const settings = new Map(input.sessions.map((session) => [session.session, sessionContext(session)]))
  const names = new Map(memories.map((memory) => [memory.id, namesIn(textOf(memory))]))
  const around = topicContext(input, memories, names, settings)
  const candidates = new Map(
    memories.map((memory) => [
      memory.id,
      candidatesOf(memory, names.get(memory.id)!, sessionContextOf(memory, settings), around),
    ]),
  )
  const filed = assignTopics(memories, candidates, around.known)
  const worked = topicsOfSessions(memories, settings, filed, around)
  const live = chooseTopics(memories, filed, worked, around.known)
  return assembleTopics(input, { memories, names, filed, worked, live, around })
}

function byTime(a: Memory, b: Memory): number {
  return compare(a.validFrom, b.validFrom) || compare(a.id, b.id)
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function textOf({ text, why }: Memory): string {
  return why === null ? text : `${text} ${why}`
}

function sessionContext(session: JournaledSession): SessionContext {
  return { session, named: namesIn(`${session.title} ${session.goal}`) }
}

function sessionContextOf(
  { evidence }: Memory,
  settings: ReadonlyMap<string, SessionContext>,
): SessionContext | undefined {
  return evidence.map(({ session }) => settings.get(session ?? '')).find((setting) => setting !== undefined)
}

function topicContext(
  { name, articles }: ProjectInput,
  memories: readonly Memory[],
  names: ReadonlyMap<string, TextNames>,
  settings: ReadonlyMap<string, SessionContext>,
): TopicContext {
  const said = memories.map((memory) => ({ named: names.get(memory.id)!, text: textOf(memory), changed: [] }))
  const asked = [...settings.values()].map(({ named, session }) => ({
    named,
    text: `${session.title} ${session.goal}`,
    changed: session.files.map(({ path }) => withoutFolder(path, session.cwd)),
  }))
  const modules = catalogueOf([...asked, ...said], name, articles)
  const known = new Set(articles.map(({ topic }) => topic))
  const texts = [...asked, ...said].map(({ named }) => named)
  const spoken = new Map(texts.map((named) => [named, modulesNamed(named, { project: name, modules })]))
  return { project: name, modules, spoken, homes: modulesBySymbol(spoken), known }
}

/** Maps each symbol to the module of most of the texts that contain it. */
function modulesBySymbol(spoken: TopicContext['spoken']): Map<string, string> {
  const seen = new Map<string, Map<string, number>>()
  for (const [named, modules] of spoken) {
    const [home, weight] = modules.entries().next().value ?? ['', 0]
    if (weight < strongWeight) continue
    for (const symbol of named.symbols.keys()) {
      const counts = seen.get(symbol) ?? new Map<string, number>()
      counts.set(home, (counts.get(home) ?? 0) + 1)
      seen.set(symbol, counts)
    }
  }
  const homes = new Map<string, string>()
  for (const [symbol, counts] of seen) {
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const [topic, count] = [...counts].sort((a, b) => b[1] - a[1] || compare(a[0], b[0]))[0]!
    if (count >= 0.6 * total) homes.set(symbol, topic)
  }
  return homes
}

/** Topics of each session: of its memories, its first prompt and its most changed files. */
function topicsOfSessions(
  memories: readonly Memory[],
  settings: ReadonlyMap<string, SessionContext>,
  filed: ReadonlyMap<string, string[]>,
  around: TopicContext,
): Map<string, Set<string>> {
  const worked = new Map<string, Set<string>>()
  for (const [id, setting] of settings) {
    const changed = [...modulesChanged(setting.session, around).keys()].slice(0, 3)
    worked.set(id, new Set([...modulesOfSession(setting, around), ...changed]))
  }
  for (const { id, evidence } of memories) {
    for (const { session } of evidence) {
      for (const topic of filed.get(id)!) worked.get(session ?? '')?.add(topic)
    }
  }
  return worked
}

/** Chooses the topics that get an article: most memories first, existing articles preferred. */
function chooseTopics(
  memories: readonly Memory[],
  filed: ReadonlyMap<string, string[]>,
  worked: ReadonlyMap<string, Set<string>>,
  known: ReadonlySet<string>,
): Set<string> {
  const weights = new Map<string, number>()
  const weigh = (topic: string, by: number) => weights.set(topic, (weights.get(topic) ?? 0) + by)
  for (const { id, supersededBy } of memories)
    if (supersededBy === null) for (const topic of filed.get(id)!) weigh(topic, 1)
  const sessions = new Map<string, number>()
  for (const topics of worked.values()) for (const topic of topics) sessions.set(topic, (sessions.get(topic) ?? 0) + 1)
  for (const [topic, count] of sessions) {
    if (!weights.has(topic) && (count >= minSessions || known.has(topic))) weigh(topic, 0.1)
  }
  return new Set(
    [...weights]
      .map(([topic, weight]) => ({ topic, weight: known.has(topic) ? 2 * weight : weight }))
      .sort((a, b) => b.weight - a.weight || compare(a.topic, b.topic))
      .slice(0, maxTopics)
      .map(({ topic }) => topic),
  )
}

interface TopicAssignment {
  memories: readonly Memory[]
  names: ReadonlyMap<string, TextNames>
  filed: ReadonlyMap<string, string[]>
  worked: ReadonlyMap<string, Set<string>>
  live: ReadonlySet<string>
  around: TopicContext
}

function assembleTopics(
  input: ProjectInput,
  { memories, names, filed, worked, live, around }: TopicAssignment,
): Topics {
  const titles = new Map(input.articles.map(({ topic, title }) => [topic, title]))
  const topics = new Map<string, Topic>(
    [...live]
      .sort(compare)
      .map((key) => [
        key,
        { key, title: titles.get(key) ?? titleOf(key, memories, around), aliases: [], memories: [], sessions: [] },
      ]),
  )
  const rest: Topics['rest'] = { memories: [], sessions: [] }
  for (const memory of memories) {
    const own = filed.get(memory.id)!.filter((topic) => topics.has(topic))
    for (const topic of own) topics.get(topic)!.memories.push(memory)
    if (own.length === 0) rest.memories.push(memory)
  }
  for (const session of input.sessions) {
    const own = [...(worked.get(session.session) ?? [])].filter((topic) => topics.has(topic))
    for (const topic of own) topics.get(topic)!.sessions.push(session)
    if (own.length === 0) rest.sessions.push(session)
  }
  for (const topic of topics.values()) topic.aliases = aliasesOf(topic, names, around)
  return { topics: [...topics.values()], rest }
}

function titleOf(key: string, memories: readonly Memory[], { modules }: TopicContext): string {
  if (key.startsWith('file:')) return titleOfModule(modules, key)
  if (key.startsWith('symbol:')) return key.slice('symbol:'.length)
  const tag = memories.flatMap(({ tags }) => tags).find((each) => tagSubject(each)?.key === key)
  return subjectTitle(key) ?? tag ?? key.slice('word:'.length)
}

const maxAliases = 8

/** File names, and symbols that belong to this module only. */
function aliasesOf(
  { key, title, memories }: Topic,
  names: ReadonlyMap<string, TextNames>,
  { modules, homes }: TopicContext,
): string[] {
  if (!key.startsWith('file:')) return []
  const name = key.slice(Math.max(key.lastIndexOf('/'), key.indexOf(':')) + 1)
  const isShared = (modules.get(name)?.folders.length ?? 0) > 1
  const files = isShared ? [] : [...(modules.get(name)?.files ?? [])].sort((a, b) => b[1] - a[1] || compare(a[0], b[0]))
  const counts = new Map<string, number>()
  for (const { id } of memories) {
    for (const symbol of names.get(id)!.symbols.keys()) {
      if (homes.get(symbol) === key && (isIdentifier(symbol) || /^[A-Z]/.test(symbol)))
        counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
    }
  }
  const symbols = [...counts].sort((a, b) => b[1] - a[1] || compare(a[0], b[0]))
  const short = files.slice(0, 4).map(([file]) => file)
  return [...new Set([...short, ...symbols.map(([symbol]) => symbol)])]
    .filter((alias) => alias !== title)
    .slice(0, maxAliases)
}
