// The composition root: the only reader of environment and configuration. Entry points get
// everything they need from it.
import { existsSync } from 'node:fs'
import { homedir, hostname, userInfo } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import type { Agent } from './agents/agent.ts'
import { agents, agentsWith } from './agents/registry.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { type Config, defaultConfig, loadConfig, parseConfig } from './core/config/config.ts'
import { UserError } from './core/errors.ts'
import { writeAtomically } from './core/files.ts'
import { type Layout, layoutOf, type Machine, makeHome, storeRoot } from './core/paths.ts'
import { isDamaged, isReadOnly } from './core/sqlite.ts'
import { type Zone, zoneOf } from './core/units.ts'
import { accessFingerprint } from './models/access-fingerprint.ts'
import { isAnyModelAllowed } from './models/consent.ts'
import type { ModelQuestion, ModelResponse } from './models/context.ts'
import type { PipelineContext } from './pipeline.ts'
import { type Ledger, openLedger, openLedgerToRead } from './store/ledger.ts'
import { finishReplacement, suspectDamage } from './store/recovery/ledger-files.ts'
import { nearest } from './text/nearest.ts'

export interface App {
  machine: Machine
  layout: Layout
  config: Config
  clock: Clock
  zone: Zone
  agents: readonly Agent[]
  /** Opens the ledger; creates it when missing. */
  ledger(): Ledger
  /** The same for what mostly reads: a store that cannot be written is read as it is. */
  ledgerToRead(): Ledger
  /** Opens the ledger for reading; a user error when nothing has been captured yet. */
  existingLedger(): Ledger
  context(ledger: Ledger): PipelineContext
  /** Less than `context`: a hook composes a brief without loading the readers of agents. */
  briefContext(ledger: Ledger): Pick<PipelineContext, 'ledger' | 'clock' | 'zone' | 'maxQuotes'>
}

export interface AppOptions {
  machine?: Machine
  clock?: Clock
  /** Another configuration file than the one in the store. */
  configPath?: string
  /** For commands that must work with an invalid config.toml. */
  ignoresConfig?: boolean
}

export function createApp(options: AppOptions = {}): App {
  const machine = options.machine ?? {
    home: homeFolder(),
    env: process.env,
    platform: process.platform,
    name: hostname(),
  }
  const clock = options.clock ?? systemClock
  const store = layoutOf(storeRoot(machine))
  const layout = options.configPath === undefined ? store : { ...store, config: givenConfig(options.configPath) }
  const config = options.ignoresConfig ? parseConfig('', layout.config) : loadConfig(layout.config)
  checkAgents(config, layout)
  const zone = zoneOf(config.display.zone)
  const maxQuotes = (ledger: Ledger) => (isAnyModelAllowed({ ledger, config, machine }) ? 0 : config.brief.candidates)
  const app: App = {
    machine,
    layout,
    config,
    clock,
    zone,
    // Readers of agents are a third of the program, so they are loaded on first use.
    get agents() {
      return agentsWith(config.sources)
    },
    ledger() {
      makeHome(layout)
      if (!existsSync(layout.config)) writeAtomically(layout.config, defaultConfig())
      if (!existsSync(layout.ledger)) finishReplacement(layout)
      return noteDamage(layout, () => openLedger(layout))
    },
    ledgerToRead() {
      try {
        return app.ledger()
      } catch (error) {
        if (isReadOnly(error) && existsSync(layout.ledger)) return app.existingLedger()
        throw error
      }
    },
    existingLedger() {
      if (!existsSync(layout.ledger)) finishReplacement(layout)
      if (!existsSync(layout.ledger)) {
        throw new UserError(`Nothing has been captured yet (no ledger in ${layout.root})`, 'Run: recollect sweep', 1)
      }
      return noteDamage(layout, () => openLedgerToRead(layout))
    },
    context: (ledger) => {
      const loadModelContext = async () => {
        const { modelContext } = await import('./models/context.ts')
        return modelContext({ ledger, clock, config, machine, zone })
      }
      return {
        ledger,
        clock,
        config,
        machine,
        agents: agentsWith(config.sources),
        // Both have large tables, so a sweep without new events never loads them.
        loadTools: async () => ({
          redact: (await import('./core/redact/redact.ts')).redact,
          priceOf: (await import('./core/prices.ts')).priceOf,
        }),
        projects: new Map(),
        digested: new Set(),
        failedStages: [],
        zone,
        origin: machine.name ?? '',
        memoryFolders: memoize(
          (agent) => agents.find(({ id }) => id === agent)?.memories?.configuredFolders?.(machine) ?? [],
        ),
        isMemoryPath: (agent, path) => agents.find(({ id }) => id === agent)?.memories?.isMemoryPath(path) ?? false,
        ask: withCircuitBreaker(async (question) => {
          const { ask } = await import('./models/ask.ts')
          return ask(await loadModelContext(), question)
        }),
        fork: withForkBreaker(async (question) => {
          const { askFork } = await import('./models/fork/ask-fork.ts')
          return askFork(await loadModelContext(), question)
        }),
        isModelAllowed: () => isAnyModelAllowed({ ledger, config, machine }),
        accessFingerprint: () => accessFingerprint({ ledger, config, machine }),
        get maxQuotes() {
          return maxQuotes(ledger)
        },
      }
    },
    briefContext: (ledger) => ({ ledger, clock, zone, maxQuotes: maxQuotes(ledger) }),
  }
  return app
}

/** The next sweep checks and replaces a ledger that could not be opened. */
function noteDamage(layout: Layout, open: () => Ledger): Ledger {
  try {
    return open()
  } catch (error) {
    if (isDamaged(error)) suspectDamage(layout, error)
    throw error
  }
}

/** Settings of agents are read once per run. */
function memoize<T>(read: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    if (!known.has(key)) known.set(key, read(key))
    return known.get(key)!
  }
}

function givenConfig(path: string): string {
  if (existsSync(path)) return resolve(path)
  throw new UserError(`There is no ${path}`, 'Give the path of a configuration file.')
}

type AskModel = <T>(question: ModelQuestion<T>) => Promise<ModelResponse<T>>

const maxFailures = 2

/**
 * Stops asking models for the rest of a run once none is available or two requests have failed: no
 * provider becomes available within a run, and each attempt may take minutes. The obstacle tells
 * that the other requests were not asked, so that they are kept. Each purpose has its share of the
 * budget, so a used-up one stops only its own requests.
 */
export function withCircuitBreaker(ask: AskModel): AskModel {
  let failures = 0
  let open: Extract<ModelResponse<never>, { kind: 'unavailable' }> | undefined
  const overBudget = new Map<string, Extract<ModelResponse<never>, { kind: 'unavailable' }>>()
  return async (question) => {
    const stopped = open ?? overBudget.get(question.purpose)
    if (stopped) return stopped
    const response = await ask(question)
    if (response.kind === 'answered') return response
    if (response.kind === 'unavailable' && response.obstacle === 'budget') {
      overBudget.set(question.purpose, response)
      return response
    }
    const isRefused = response.kind === 'unavailable' && response.obstacle === 'access'
    if (response.kind === 'failed' || isRefused) failures++
    if (response.kind === 'unavailable' && !isRefused) open = response
    else if (failures >= maxFailures)
      open = { kind: 'unavailable', reasons: response.reasons, obstacle: isRefused ? 'access' : 'outage' }
    return response
  }
}

type AskFork = PipelineContext['fork']

/** The same for forks. What is in the way of one session may not be in the way of the next. */
export function withForkBreaker(fork: AskFork): AskFork {
  let failures = 0
  let reason = ''
  return async (question) => {
    if (failures >= maxFailures) return { kind: 'unavailable', reason, obstacle: 'outage' }
    const answer = await fork(question)
    if (answer.kind === 'failed') {
      failures++
      reason = answer.reason
    }
    return answer
  }
}

/** Scheduled jobs may run with an empty HOME, which must not become the current folder. */
function homeFolder(): string {
  return [process.env.HOME ?? '', homedir()].find(isAbsolute) ?? userInfo().homedir
}

function checkAgents({ sources, capture }: Config, layout: Layout): void {
  // Most configurations name none, and the list of agents takes a while to load.
  if (Object.keys(sources).length === 0 && capture.skipAgents.length === 0) return
  const known = agents.map((agent) => agent.id)
  const added = Object.entries(sources).filter(([, { format }]) => format !== undefined)
  const require = (name: string, names: readonly string[], hint = `Known agents: ${names.join(', ')}`) => {
    if (names.includes(name)) return
    const suggestion = nearest(name, names)
    throw new UserError(`${layout.config}: unknown agent ${name}`, suggestion ? `Did you mean ${suggestion}?` : hint)
  }
  for (const [name, { format }] of added) {
    require(format!, known)
    if (known.includes(name))
      throw new UserError(`${layout.config}: sources.${name} must not have a format`, `Write ${name} = ["folder"].`)
    if (!/^[a-z][a-z0-9-]*$/.test(name))
      throw new UserError(`${layout.config}: "${name}" cannot name an agent`, 'Use a-z, 0-9 and dashes: my-agent')
  }
  const all = [...known, ...added.map(([name]) => name)]
  const otherAgent = `Known agents: ${known.join(', ')}\nAn agent that writes files as one of them does: my-agent = { format = "codex", folders = ["~/.my-agent"] }`
  for (const name of Object.keys(sources)) require(name, all, otherAgent)
  for (const name of capture.skipAgents) require(name, all)
}

/** Whether to use colour: only at a terminal, and not with NO_COLOR. */
export function wantsColour(stream: { isTTY?: boolean }): boolean {
  if (process.env.NO_COLOR) return false
  return stream.isTTY === true || Boolean(process.env.FORCE_COLOR)
}

/** The width of the terminal; without one what `COLUMNS` says, else 80. */
export function terminalColumns(stream: { columns?: number }): number {
  const columns = stream.columns || Number(process.env.COLUMNS) || 80
  return Math.max(20, Math.trunc(columns))
}

/**
 * The pager for output that is longer than the screen: PAGER, else less, which shows colours and
 * stays on the screen. None without a terminal, or if PAGER is `cat` or empty.
 */
export function pagerFor(stream: { isTTY?: boolean }): { command: string; env: NodeJS.ProcessEnv } | undefined {
  const { env, platform } = process
  const command = env.PAGER ?? (platform === 'win32' ? '' : 'less')
  if (!stream.isTTY || env.TERM === 'dumb' || /^\s*(?:cat)?\s*$/.test(command)) return undefined
  return { command, env: { ...env, LESS: env.LESS ?? 'FRX', LESSCHARSET: env.LESSCHARSET ?? 'utf-8' } }
}
