// What a memory could be filed under, the best first. Which of these become topics is decided when all are known.
import type { Memory } from '../../memory/memory.ts'
import type { JournaledSession } from '../../store/wiki/compile-inputs.ts'
import { type Catalogue, topicOfModule } from './catalogue.ts'
import { isCode, isSameName, moduleOf, withoutTest } from './modules.ts'
import { leadNames, type Named } from './names.ts'
import { subjectsIn, tagSubject } from './subjects.ts'

export interface Candidate {
  topic: string
  /** It is a topic even if nothing else is about it. */
  isSure: boolean
  /** The memory itself names it, and so much that it belongs there, too, where it stands elsewhere. */
  isNamed: boolean
}

export interface Around {
  project: string
  modules: Catalogue
  /** How much each text speaks of modules, the most first. */
  spoken: ReadonlyMap<Named, ReadonlyMap<string, number>>
  /** The module that a symbol is spoken of with. */
  homes: ReadonlyMap<string, string>
  /** Topics that have an article. */
  known: ReadonlySet<string>
}

/** A session as far as it says what its memories are about. */
export interface Setting {
  named: Named
  session: JournaledSession
}

/** How much a text speaks of modules, the most first. */
export function modulesNamed(
  named: Named,
  { project, modules }: Pick<Around, 'project' | 'modules'>,
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

export function candidatesOf(memory: Memory, named: Named, setting: Setting | undefined, around: Around): Candidate[] {
  const own = around.spoken.get(named)!
  const max = own.values().next().value ?? 0
  const bySymbol = homesOf(named, around)
  // A habit that names nothing is about how one works, whatever was worked on at the time.
  const isGeneral = named.symbols.size === 0 && isGeneralKind(memory.kind)
  const settings = setting === undefined || isGeneral ? [] : modulesOfSetting(setting, around)
  const isStrong = (weight: number) => weight >= strong
  const topics = [...own].map(([topic, weight]) => ({ topic, weight, isNamed: weight >= 3 && weight >= 0.6 * max }))
  const filed = [
    ...topics.filter(({ weight }) => isStrong(weight)).map(({ topic, isNamed }) => ({ topic, isSure: true, isNamed })),
    ...[...bySymbol, ...settings].map((topic) => ({ topic, isSure: true, isNamed: false })),
    ...topics.filter(({ weight }) => !isStrong(weight)).map(({ topic }) => ({ topic, isSure: true, isNamed: false })),
  ]
  return filed.length > 0 ? filed : [...symbolsOf(memory, named, setting), ...subjectsOf(memory, named)]
}

/** Less than that, and the name may be a word like any other. */
export const strong = 2

/** How one works, not what was decided about something. */
export function isGeneralKind(kind: Memory['kind']): boolean {
  return kind === 'correction' || kind === 'preference' || kind === 'operational'
}

function homesOf(named: Named, { homes, known }: Around): string[] {
  const weights = new Map<string, number>()
  for (const [symbol, times] of named.symbols) {
    const own = symbolTopic(symbol)
    const home = known.has(own) ? own : homes.get(symbol)
    if (home !== undefined) weights.set(home, (weights.get(home) ?? 0) + times)
  }
  return [...weights].sort((a, b) => b[1] - a[1]).map(([topic]) => topic)
}

/** What the person began with; else the file that most of the work was on. */
export function modulesOfSetting({ named, session }: Setting, around: Around): string[] {
  const asked = around.spoken.get(named)!
  const max = asked.values().next().value ?? 0
  const told = [...asked].filter(([, weight]) => weight >= strong && weight > 0.5 * max).map(([topic]) => topic)
  if (told.length > 0) return told.slice(0, 2)
  const changed = modulesChanged(session, around)
  const total = session.files.reduce((sum, { times }) => sum + times, 0)
  return [...changed].filter(([, times]) => times >= mainShare * total).map(([topic]) => topic)
}

/** Of all changes of a session, so much makes a file what it was about. */
const mainShare = 0.6

export function modulesChanged(
  session: JournaledSession,
  { project, modules }: Pick<Around, 'project' | 'modules'>,
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

function symbolsOf({ text }: Memory, named: Named, setting: Setting | undefined): Candidate[] {
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

function subjectsOf({ tags, text }: Memory, named: Named): Candidate[] {
  const byTag = tags.flatMap((tag) => tagSubject(tag)?.key ?? [])
  const shouted = [...named.abbreviations].sort((a, b) => b[1] - a[1])
  const spoken = [...subjectsIn(text)].sort((a, b) => b[1] - a[1])
  return [
    ...byTag.map((topic) => ({ topic, isSure: false, isNamed: false })),
    ...shouted.map(([word, times]) => ({ topic: `word:${word}`, isSure: times > 2, isNamed: false })),
    ...spoken.map(([topic]) => ({ topic, isSure: false, isNamed: false })),
  ]
}
