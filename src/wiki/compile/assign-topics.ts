// Assigns memories to topics: collects the candidate topics of each memory, then chooses among
// those of all memories.
import type { Memory } from '../../memory/memory.ts'
import type { JournaledSession } from '../../store/wiki/compile-inputs.ts'
import { type ModuleCatalogue, topicOfModule } from './module-catalogue.ts'
import { isCode, isSameName, moduleOf, withoutTest } from './modules.ts'
import { leadNames, type TextNames } from './names.ts'
import { subjectsIn, subjectTitle, tagSubject } from './subjects.ts'

/** Number of memories that make a topic of something that each only mentions. */
const minMemories = 2
/** Common words need more. */
const minMemoriesOfSubject = 3

/** Returns the topics of each memory, main topic first; none if it belongs to the project only. */
export function assignTopics(
  memories: readonly Memory[],
  candidates: ReadonlyMap<string, readonly TopicCandidate[]>,
  known: ReadonlySet<string>,
): Map<string, string[]> {
  const isEnough = (topic: string, count = 0) => count >= (subjectTitle(topic) ? minMemoriesOfSubject : minMemories)
  const mentioned = countOf([...candidates.values()].map((list) => [...new Set(list.map(({ topic }) => topic))]))
  const first = chooseTopics(
    candidates,
    (each) => isKept(each, known) || isEnough(each.topic, mentioned.get(each.topic)),
  )
  // Drop topics that many memories mention but few are about.
  const filed = countOf([...first.values()])
  const chosen = chooseTopics(candidates, (each) => isKept(each, known) || isEnough(each.topic, filed.get(each.topic)))
  return withHistory(memories, withSiblings(memories, chosen))
}

function isKept({ topic, isSure }: TopicCandidate, known: ReadonlySet<string>): boolean {
  return isSure || known.has(topic)
}

function countOf(lists: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const list of lists) for (const topic of list) counts.set(topic, (counts.get(topic) ?? 0) + 1)
  return counts
}

function chooseTopics(
  candidates: ReadonlyMap<string, readonly TopicCandidate[]>,
  isTopic: (candidate: TopicCandidate) => boolean,
): Map<string, string[]> {
  return new Map(
    [...candidates].map(([id, list]) => {
      const [first, ...others] = list.filter(isTopic)
      if (first === undefined) return [id, []]
      const second = first.isNamed ? others.find(({ topic, isNamed }) => isNamed && topic !== first.topic) : undefined
      return [id, second === undefined ? [first.topic] : [first.topic, second.topic]]
    }),
  )
}

/** A memory without names belongs to the only topic of its session, except habits. */
function withSiblings(memories: readonly Memory[], chosen: ReadonlyMap<string, string[]>): Map<string, string[]> {
  const bySession = new Map<string, Set<string>>()
  for (const { id, evidence } of memories) {
    const [topic] = chosen.get(id)!
    const session = evidence[0]?.session
    if (topic === undefined || !session) continue
    bySession.set(session, (bySession.get(session) ?? new Set()).add(topic))
  }
  return new Map(
    memories.map(({ id, kind, evidence }) => {
      const own = chosen.get(id)!
      const siblings = bySession.get(evidence[0]?.session ?? '')
      return [id, own.length > 0 || isGeneralKind(kind) || siblings?.size !== 1 ? own : [...siblings]]
    }),
  )
}

/** A superseded memory belongs to the topics of its successor. */
function withHistory(memories: readonly Memory[], filed: ReadonlyMap<string, string[]>): Map<string, string[]> {
  const next = new Map(memories.map(({ id, supersededBy }) => [id, supersededBy]))
  return new Map(
    memories.map(({ id }) => {
      const last = filed.get(lastOf(id, next))!
      return [id, last.length > 0 ? last : filed.get(id)!]
    }),
  )
}

const maxChainLength = 20

function lastOf(id: string, next: ReadonlyMap<string, string | null>): string {
  let last = id
  for (let steps = 0; steps < maxChainLength; steps++) {
    const later = next.get(last)
    if (!later || !next.has(later)) break
    last = later
  }
  return last
}

interface TopicCandidate {
  topic: string
  /** It becomes a topic even with one memory. */
  isSure: boolean
  /** The memory names it often enough to belong there in addition to another topic. */
  isNamed: boolean
}

export interface TopicContext {
  project: string
  modules: ModuleCatalogue
  /** Weights of the modules in each text, highest first. */
  spoken: ReadonlyMap<TextNames, ReadonlyMap<string, number>>
  /** The module that a symbol mostly occurs with. */
  homes: ReadonlyMap<string, string>
  /** Topics that have an article. */
  known: ReadonlySet<string>
}

/** The session that a memory comes from. */
export interface SessionContext {
  named: TextNames
  session: JournaledSession
}

/** Weights of the modules in a text, highest first. */
export function modulesNamed(
  named: TextNames,
  { project, modules }: Pick<TopicContext, 'project' | 'modules'>,
): Map<string, number> {
  const weights = new Map<string, number>()
  const weigh = (topic: string | undefined, weight: number) => {
    if (topic !== undefined) weights.set(topic, (weights.get(topic) ?? 0) + weight)
  }
  const bare = (word: string) => topicOfModule(modules, { name: withoutTest(word), folder: '' })
  for (const [place, [path, times]] of [...named.paths].entries()) {
    const module = moduleOf(path, project)
    // The first path is usually the subject.
    if (module) weigh(topicOfModule(modules, module), 3 * times + (place === 0 ? 2 : 0))
  }
  for (const parts of named.dotted) {
    // The last part is a member: `cache.keys` does not mean keys.py.
    const owners = isSameName(parts[0]!, project) ? parts.slice(1, 2) : parts.slice(0, -1)
    const part = owners.find((each) => modules.has(each.toLowerCase()))
    if (part !== undefined) weigh(topicOfModule(modules, { name: part, folder: '' }), 3)
  }
  for (const word of named.coded.keys()) weigh(bare(word), word.length < 5 ? 1 : word.length < 7 ? 2 : 3)
  for (const [word, times] of named.words) weigh(bare(word), withoutTest(word) !== word || times > 1 ? 2 : 1.5)
  return new Map([...weights].sort((a, b) => b[1] - a[1]))
}

export function candidatesOf(
  memory: Memory,
  named: TextNames,
  setting: SessionContext | undefined,
  around: TopicContext,
): TopicCandidate[] {
  const own = around.spoken.get(named)!
  const max = own.values().next().value ?? 0
  const bySymbol = modulesOfSymbols(named, around)
  // A habit that names nothing is independent of the files of its session.
  const isGeneral = named.symbols.size === 0 && isGeneralKind(memory.kind)
  const settings = setting === undefined || isGeneral ? [] : modulesOfSession(setting, around)
  const isStrong = (weight: number) => weight >= strongWeight
  const topics = [...own].map(([topic, weight]) => ({ topic, weight, isNamed: weight >= 3 && weight >= 0.6 * max }))
  const filed = [
    ...topics.filter(({ weight }) => isStrong(weight)).map(({ topic, isNamed }) => ({ topic, isSure: true, isNamed })),
    ...[...bySymbol, ...settings].map((topic) => ({ topic, isSure: true, isNamed: false })),
    ...topics.filter(({ weight }) => !isStrong(weight)).map(({ topic }) => ({ topic, isSure: true, isNamed: false })),
  ]
  return filed.length > 0 ? filed : [...symbolsOf(memory, named, setting), ...subjectsOf(memory, named)]
}

/** Below this weight, the name may be an ordinary word. */
export const strongWeight = 2

/** Habits, as opposed to decisions about something. */
function isGeneralKind(kind: Memory['kind']): boolean {
  return kind === 'correction' || kind === 'preference' || kind === 'operational'
}

function modulesOfSymbols(named: TextNames, { homes, known }: TopicContext): string[] {
  const weights = new Map<string, number>()
  for (const [symbol, times] of named.symbols) {
    const own = symbolTopic(symbol)
    const home = known.has(own) ? own : homes.get(symbol)
    if (home !== undefined) weights.set(home, (weights.get(home) ?? 0) + times)
  }
  return [...weights].sort((a, b) => b[1] - a[1]).map(([topic]) => topic)
}

/** The modules that the first prompt names; otherwise the most changed file. */
export function modulesOfSession({ named, session }: SessionContext, around: TopicContext): string[] {
  const asked = around.spoken.get(named)!
  const max = asked.values().next().value ?? 0
  const prompted = [...asked]
    .filter(([, weight]) => weight >= strongWeight && weight > 0.5 * max)
    .map(([topic]) => topic)
  if (prompted.length > 0) return prompted.slice(0, 2)
  const changed = modulesChanged(session, around)
  const total = session.files.reduce((sum, { times }) => sum + times, 0)
  return [...changed].filter(([, times]) => times >= mainShare * total).map(([topic]) => topic)
}

/** Share of all changes that makes a file the subject of a session. */
const mainShare = 0.6

export function modulesChanged(
  session: JournaledSession,
  { project, modules }: Pick<TopicContext, 'project' | 'modules'>,
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { path, times } of session.files) {
    const module = isCode(path) ? moduleOf(withoutFolder(path, session.cwd), project) : undefined
    const topic = module && topicOfModule(modules, module)
    if (topic !== undefined) counts.set(topic, (counts.get(topic) ?? 0) + times)
  }
  return new Map([...counts].sort((a, b) => b[1] - a[1]))
}

export function withoutFolder(path: string, folder: string | null): string {
  return folder !== null && path.startsWith(folder) ? path.slice(folder.length).replace(/^[\\/]+/, '') : path
}

function symbolTopic(symbol: string): string {
  return `symbol:${symbol}`
}

function symbolsOf({ text }: Memory, named: TextNames, setting: SessionContext | undefined): TopicCandidate[] {
  const lead = leadNames(text)
  const asked = setting?.named.symbols ?? new Map<string, number>()
  return [...named.symbols]
    .map(([symbol, times]) => ({ symbol, weight: times + 2 * (asked.get(symbol) ?? 0) }))
    .sort((a, b) => b.weight - a.weight || b.symbol.length - a.symbol.length)
    .map(({ symbol, weight }) => ({
      topic: symbolTopic(symbol),
      isSure: weight > 2 || lead.includes(symbol),
      isNamed: false,
    }))
}

function subjectsOf({ tags, text }: Memory, named: TextNames): TopicCandidate[] {
  const byTag = tags.flatMap((tag) => tagSubject(tag)?.key ?? [])
  const shouted = [...named.abbreviations].sort((a, b) => b[1] - a[1])
  const spoken = [...subjectsIn(text)].sort((a, b) => b[1] - a[1])
  return [
    ...byTag.map((topic) => ({ topic, isSure: false, isNamed: false })),
    ...shouted.map(([word, times]) => ({ topic: `word:${word}`, isSure: times > 2, isNamed: false })),
    ...spoken.map(([topic]) => ({ topic, isSure: false, isNamed: false })),
  ]
}
