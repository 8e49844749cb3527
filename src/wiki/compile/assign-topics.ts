// Under which topics memories are filed, once it is known what all of them could be filed under.
import type { Memory } from '../../memory/memory.ts'
import type { JournaledSession } from '../../store/wiki/compile-inputs.ts'
import { type ModuleCatalogue, topicOfModule } from './module-catalogue.ts'
import { isCode, isSameName, moduleOf, withoutTest } from './modules.ts'
import { leadNames, type TextNames } from './names.ts'
import { subjectsIn, subjectTitle, tagSubject } from './subjects.ts'

/** So many memories make a topic of what each of them only mentions. */
const minMemories = 2
/** Words that everybody uses need more. */
const minMemoriesOfSubject = 3

/** Topics of each memory, the first the one that it is about; none where it belongs to the project alone. */
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
  // Many may mention what hardly any is about: those that are go elsewhere.
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

/** What names nothing is about what everything else in its session is about; a habit is not. */
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

/** What was superseded is history of whatever took its place. */
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

// What a memory could be filed under, the best first. Which of these become topics is decided when all are known.

export interface TopicCandidate {
  topic: string
  /** It is a topic even if nothing else is about it. */
  isSure: boolean
  /** The memory itself names it, and so much that it belongs there, too, where it stands elsewhere. */
  isNamed: boolean
}

export interface TopicContext {
  project: string
  modules: ModuleCatalogue
  /** How much each text speaks of modules, the most first. */
  spoken: ReadonlyMap<TextNames, ReadonlyMap<string, number>>
  /** The module that a symbol is spoken of with. */
  homes: ReadonlyMap<string, string>
  /** Topics that have an article. */
  known: ReadonlySet<string>
}

/** A session as far as it says what its memories are about. */
export interface SessionContext {
  named: TextNames
  session: JournaledSession
}

/** How much a text speaks of modules, the most first. */
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
    // Who names several begins with the one that it is about.
    if (module) weigh(topicOfModule(modules, module), 3 * times + (place === 0 ? 2 : 0))
  }
  for (const parts of named.dotted) {
    // The last part is what is called: `cache.keys` speaks of no keys.py.
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
  // A habit that names nothing is about how one works, whatever was worked on at the time.
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

/** Less than that, and the name may be a word like any other. */
export const strongWeight = 2

/** How one works, not what was decided about something. */
export function isGeneralKind(kind: Memory['kind']): boolean {
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

/** What the person began with; else the file that most of the work was on. */
export function modulesOfSession({ named, session }: SessionContext, around: TopicContext): string[] {
  const asked = around.spoken.get(named)!
  const max = asked.values().next().value ?? 0
  const told = [...asked].filter(([, weight]) => weight >= strongWeight && weight > 0.5 * max).map(([topic]) => topic)
  if (told.length > 0) return told.slice(0, 2)
  const changed = modulesChanged(session, around)
  const total = session.files.reduce((sum, { times }) => sum + times, 0)
  return [...changed].filter(([, times]) => times >= mainShare * total).map(([topic]) => topic)
}

/** Of all changes of a session, so much makes a file what it was about. */
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
