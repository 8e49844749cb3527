// A ledger with memories, and a search over it as the commands do it.
import { isoTime } from '../../src/core/clock.ts'
import { parseConfig } from '../../src/core/config/config.ts'
import type { Memory } from '../../src/memory/memory.ts'
import type { ModelContext } from '../../src/models/context.ts'
import { parseQuery } from '../../src/search/query.ts'
import { search } from '../../src/search/search.ts'
import { questionVector } from '../../src/search/vectors/question-vector.ts'
import { changeMemories } from '../../src/store/memories/changes.ts'
import { sampleMemory } from '../sample-memory.ts'

export function remember(context: ModelContext, texts: Record<string, string>): void {
  const { ledger, clock } = context
  const at = isoTime(clock.nowMs())
  const memories = Object.entries(texts).map(([id, text]): Memory => ({ ...plain, id, text, ...times(at) }))
  ledger.transaction(() => changeMemories(ledger, { at, kind: 'imported', about: 'made up' }, memories))
}

export function withVectors(context: ModelContext, vectors: string, models = ''): ModelContext {
  return { ...context, config: parseConfig(`[recall]\nvectors = "${vectors}"\n[models]\n${models}`, 'config.toml') }
}

/** The ids of what is found, the best first. */
export async function found(context: ModelContext, words: string): Promise<string[]> {
  const { ledger, clock } = context
  const query = parseQuery(words)
  const vector = await questionVector(context, ledger, query.text)
  return search(ledger, query, { nowMs: clock.nowMs(), limit: 50, vector }).results.map(({ id }) => id)
}

const topics = [
  'cushions upholstery armrests fabric lounge velvet stain fireplace',
  'harbour anchor mast sail rope captain tide gull',
  'oven dough flour yeast butter sugar crust whisk',
  'engine piston clutch gearbox exhaust tyre brake oil',
  'violin cello bow string concert tuning choir piano',
  'wicket umpire innings bat pitch bowler boundary crease',
  'rocket orbit booster payload nozzle capsule telemetry docking',
  'orchid soil pruning seed compost greenhouse tulip bulb',
  'ledger invoice tax audit payroll receipt refund budget',
  'glacier summit ridge avalanche crampon ascent tent altitude',
  'syringe nurse ward surgeon bandage fever vaccine clinic',
  'loom yarn knitting needle wool stitch scarf thread',
].map((words) => words.split(' '))

/** Talk of many things. Those of the first kind are called a couch or a sofa, never both: they keep the same company. */
export function furniture(): Record<string, string> {
  const texts = Array.from({ length: 360 }, (_, index): [string, string] => {
    const topic = topics[index % topics.length]!
    const round = Math.floor(index / topics.length)
    const words = [0, 1, 3, 4].map((step) => topic[(round + step) % topic.length]!)
    const name = index % topics.length > 0 ? [] : [round % 2 === 0 ? 'couch' : 'sofa']
    return [`m-${index}`, [...words.slice(0, 2), ...name, ...words.slice(2)].join(' ')]
  })
  return Object.fromEntries(texts)
}

/** Whether it tells of furniture. */
export function isFurniture(id: string): boolean {
  return !id.startsWith('m-') || Number(id.slice(2)) % topics.length === 0
}

const plain: Omit<Memory, 'id' | 'text' | 'learnedAt' | 'validFrom' | 'confirmedAt'> = sampleMemory({
  project: null,
  kind: 'fact',
  importance: 0.5,
  evidence: [],
})

function times(at: string): Pick<Memory, 'learnedAt' | 'validFrom' | 'confirmedAt'> {
  return { learnedAt: at, validFrom: at, confirmedAt: at }
}
