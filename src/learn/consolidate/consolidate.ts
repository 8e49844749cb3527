// consolidate: repairs what admission cannot see because it looks at one memory at a time. Merges
// duplicates, makes dates absolute, retires contradicted memories and verifies the rest against the
// checkouts. Deletes nothing: each step is a change that can be undone.
import { join } from 'node:path'
import { isoTime } from '../../core/clock.ts'
import { type LockAttempt, tryLock } from '../../core/lock.ts'
import type { Machine } from '../../core/paths.ts'
import { plural, type Zone } from '../../core/units.ts'
import type { Memory } from '../../memory/memory.ts'
import { beginChange, changeMemory } from '../../store/memories/changes.ts'
import { pairKey, saveKeptPairs } from '../../store/memories/kept-pairs.ts'
import { listMemories, memoryById } from '../../store/memories/memories.ts'
import { jaccard } from '../../text/similarity.ts'
import { type LearnContext, modelsMayJudge } from '../context.ts'
import type { EditsContext } from '../files/context.ts'
import { mayHaveEdits } from '../files/find-changes.ts'
import { byScope, type MemoryPair, similarPairs } from './candidate-pairs.ts'
import { findContradictions, moveToInbox, retireContradicted } from './contradictions.ts'
import { makeDatesAbsolute } from './dates.ts'
import { mergeDuplicates, mergePairs } from './duplicates.ts'
import { applyStep, type ConsolidationFinding, type ConsolidationStep } from './finding.ts'
import { type PastDecisions, pastDecisions } from './past-decisions.ts'
import { markConsolidated, reasonToSkip } from './schedule.ts'
import { verifyNames } from './verify.ts'

export interface ConsolidateContext
  extends Pick<LearnContext, 'ledger' | 'clock' | 'config' | 'ask'>,
    Pick<EditsContext, 'origin' | 'loadTools'> {
  machine: Machine
  zone: Zone
}

export interface ConsolidateOptions {
  /** Ignores the schedule. */
  isForced?: boolean
  /** Reports the findings without writing them and without asking a model. */
  isDryRun?: boolean
  /** Only the memories of one project. */
  project?: string
}

export interface ConsolidateReport {
  isDryRun: boolean
  memories: number
  findings: ConsolidationFinding[]
  /** Newest first, the order in which they can be undone. */
  changes: { id: number; about: string }[]
}

export type Consolidation = { kind: 'skipped'; reason: string } | ({ kind: 'done' } & ConsolidateReport)

/** For the command: fails if another process learns or consolidates. */
export async function consolidateExclusively(
  context: ConsolidateContext,
  options: ConsolidateOptions = {},
): Promise<Consolidation | Extract<LockAttempt, { kind: 'busy' }>> {
  const { ledger, clock } = context
  const locking = tryLock(join(ledger.layout.run, 'learn.lock'), 'consolidate', clock)
  if (locking.kind === 'busy') return locking
  try {
    return await consolidate(context, options)
  } finally {
    locking.release()
  }
}

/** The caller holds the lock of learning. */
export async function consolidate(
  context: ConsolidateContext,
  options: ConsolidateOptions = {},
): Promise<Consolidation> {
  const isAnyTime = (options.isForced || options.isDryRun) ?? false
  const reason = isAnyTime ? undefined : reasonToSkip(context)
  if (reason !== undefined) return { kind: 'skipped', reason }
  if (!options.isDryRun) await readEdits(context)
  for (let tries = 0; tries < 3; tries++) {
    const plan = await planOf(context, options)
    const report = { isDryRun: options.isDryRun ?? false, memories: plan.versions.size, findings: findingsOf(plan) }
    if (options.isDryRun) return { kind: 'done', ...report, changes: [] }
    const changes = write(context, plan, options)
    if (changes) return { kind: 'done', ...report, changes }
  }
  return { kind: 'skipped', reason: 'memories were changed meanwhile' }
}

/** A memory that was just edited must not be merged by its old text. */
async function readEdits(context: ConsolidateContext): Promise<void> {
  if (mayHaveEdits(context.ledger)) await (await import('../files/read.ts')).readMemoryEdits(context)
}

interface ConsolidationPlan {
  /** Versions of the memories when the plan was made. */
  versions: Map<string, number>
  steps: (ConsolidationStep & { about: string })[]
  /** Pairs that a model decided to keep. */
  standing: string[]
}

async function planOf(
  context: ConsolidateContext,
  { project, isDryRun }: ConsolidateOptions,
): Promise<ConsolidationPlan> {
  const { ledger, clock } = context
  const ofScope = project === undefined ? {} : { project }
  const holding = listMemories(ledger, { state: 'kept', isCurrent: true, ...ofScope })
  // Memories of a team are for people to consolidate.
  const kept = holding.filter(({ space }) => space === null)
  const at = isoTime(clock.nowMs())
  const decided = pastDecisions(ledger)
  const steps: ConsolidationPlan['steps'] = []
  let memories = kept
  const take = (step: ConsolidationStep, about: (count: string) => string) => {
    if (step.memories.length === 0) return
    steps.push({ ...step, about: about(plural(step.findings.length, 'memory', 'memories')) })
    memories = applyStep(memories, step)
  }
  take(mergeDuplicates(memories, decided, at), (count) => `${count} merged into others that say the same`)
  const { sure, unsure } = findContradictions(memories, decided)
  // A dry run must not cost anything, so it shows what rules would do.
  const judged = isDryRun ? undecided(unsure) : await judge(context, memories, decided, unsure)
  take(mergePairs(judged.merge, at), (count) => `${count} merged, as a model judged`)
  take(
    retireContradicted(stillThere(memories, [...sure, ...judged.supersede])),
    (count) => `${count} retired by a later statement`,
  )
  take(moveToInbox(stillThere(memories, judged.unsure)), (count) => `${count} put into the inbox`)
  take(makeDatesAbsolute(context, memories, decided), (count) => `dates in ${count} made absolute`)
  take(verifyNames(context, memories, decided), (count) => `${count} compared with the checkout`)
  return { versions: new Map(kept.map(({ id, version }) => [id, version])), steps, standing: judged.standing }
}

interface JudgedPairs {
  merge: MemoryPair[]
  supersede: MemoryPair[]
  unsure: MemoryPair[]
  standing: string[]
}

/** Without a model, unsure pairs stay unsure. */
function undecided(unsure: MemoryPair[]): JudgedPairs {
  return { merge: [], supersede: [], unsure, standing: [] }
}

async function judge(
  context: ConsolidateContext,
  memories: readonly Memory[],
  decided: PastDecisions,
  unsure: MemoryPair[],
): Promise<JudgedPairs> {
  const isAsked = modelsMayJudge(context) && context.config.learn.freshDays > 0
  if (!isAsked) return undecided(unsure)
  const asked = new Map([...unsure, ...nearDuplicates(memories, decided)].map((pair) => [keyOf(pair), pair]))
  if (asked.size === 0) return undecided(unsure)
  const { judgePairs: askAboutPairs } = await import('./judge-pairs.ts')
  const verdicts = await askAboutPairs(context, [...asked.values()])
  const judgedAs = (wanted: string) => [...asked.values()].filter((pair) => verdicts.get(keyOf(pair)) === wanted)
  return {
    merge: judgedAs('merge'),
    supersede: judgedAs('supersede'),
    unsure: unsure.filter((pair) => !verdicts.has(keyOf(pair))),
    standing: judgedAs('keep').map(keyOf),
  }
}

function keyOf([later, earlier]: MemoryPair): string {
  return pairKey(later.memory.id, earlier.memory.id)
}

/** Pairs whose memories no earlier step has removed, in their current version. */
function stillThere(memories: readonly Memory[], pairs: readonly MemoryPair[]): MemoryPair[] {
  const now = new Map(memories.map((memory) => [memory.id, memory]))
  return pairs.flatMap(([later, earlier]): MemoryPair[] => {
    const [by, old] = [now.get(later.memory.id), now.get(earlier.memory.id)]
    return by && old
      ? [
          [
            { ...later, memory: by },
            { ...earlier, memory: old },
          ],
        ]
      : []
  })
}

function findingsOf({ steps }: ConsolidationPlan): ConsolidationFinding[] {
  return steps.flatMap(({ findings }) => findings)
}

/** Writes all steps in one transaction; undefined if one of the memories has changed meanwhile. */
function write(
  context: ConsolidateContext,
  { versions, steps, standing }: ConsolidationPlan,
  { project }: ConsolidateOptions,
): ConsolidateReport['changes'] | undefined {
  const { ledger, clock } = context
  return ledger.transaction(() => {
    const concerned = steps.flatMap(({ memories, findings }) => [
      ...memories.map(({ id }) => id),
      ...findings.flatMap(({ other }) => other ?? []),
    ])
    if (concerned.some((id) => memoryById(ledger, id)?.version !== versions.get(id))) return undefined
    const changes = steps.map(({ memories, about }) => {
      const id = beginChange(ledger, { at: isoTime(clock.nowMs()), kind: 'consolidated', about })
      for (const memory of memories) changeMemory(ledger, id, memory)
      return { id, about }
    })
    saveKeptPairs(ledger, standing)
    // A run over one project does not count as the daily run.
    if (project === undefined) markConsolidated(context)
    return changes.reverse()
  })
}

const minNearSimilarity = 0.5

/**
 * Similar pairs that rules cannot decide, most similar first: candidates for a question to a model.
 */
function nearDuplicates(memories: readonly Memory[], decided: PastDecisions): MemoryPair[] {
  return byScope(memories)
    .flatMap((statements) => [...similarPairs(statements, minNearSimilarity)])
    .map((pair) => ({ pair, near: jaccard(pair[0].terms, pair[1].terms) }))
    .filter(({ pair: [a, b] }) => !decided.isSettled(a.memory, b.memory))
    .sort((a, b) => b.near - a.near)
    .map(({ pair }) => pair)
}
