// The composition root: the only reader of environment and configuration. Doors ask it for what they need.
import { existsSync } from 'node:fs'
import { homedir, hostname, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { agents } from './agents/registry.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { type Config, defaultConfig, loadConfig, parseConfig } from './core/config.ts'
import { UserError } from './core/errors.ts'
import { writeAtomically } from './core/files.ts'
import type { Machine } from './core/paths.ts'
import { type Layout, layoutOf, makeHome } from './core/paths.ts'
import { type Zone, zoneOf } from './core/units.ts'
import type { ModelResponse, ProviderReason } from './models/context.ts'
import type { PipelineContext } from './pipeline.ts'
import { type Ledger, openLedger, openLedgerToRead } from './store/ledger.ts'
import { nearest } from './text/nearest.ts'

export interface App {
  machine: Machine
  layout: Layout
  config: Config
  clock: Clock
  zone: Zone
  agents: typeof agents
  /** Opens the ledger, making it where there is none. */
  ledger(): Ledger
  /** Opens the ledger to read; a user error where nothing has been captured yet. */
  existingLedger(): Ledger
  context(ledger: Ledger): PipelineContext
}

export interface AppOptions {
  machine?: Machine
  clock?: Clock
  /** For what must work whatever stands in config.toml. */
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
  const layout = layoutOf(machine.env.RECOLLECT_HOME || join(machine.home, '.recollect'))
  const config = options.ignoresConfig ? parseConfig('', layout.config) : loadConfig(layout.config)
  checkAgents(config, layout)
  const zone = zoneOf(config.display.zone)
  return {
    machine,
    layout,
    config,
    clock,
    zone,
    // Their readers are a third of the program: whoever asks for no agent never loads them.
    get agents() {
      return agents
    },
    ledger() {
      makeHome(layout)
      if (!existsSync(layout.config)) writeAtomically(layout.config, defaultConfig())
      return openLedger(layout)
    },
    existingLedger() {
      if (!existsSync(layout.ledger)) {
        throw new UserError(`Nothing has been captured yet (no ledger in ${layout.root})`, 'Run: recollect sweep', 1)
      }
      return openLedgerToRead(layout)
    },
    context: (ledger) => {
      let unavailable: Extract<ModelResponse<never>, { kind: 'unavailable' }> | undefined
      let failures = 0
      return {
        ledger,
        clock,
        config,
        machine,
        agents,
        // Both bring large tables: a sweep that finds nothing new never loads them.
        loadTools: async () => ({
          redact: (await import('./core/redact.ts')).redact,
          priceOf: (await import('./core/prices.ts')).priceOf,
        }),
        projects: new Map(),
        digested: new Set(),
        zone,
        origin: machine.name ?? '',
        isMemoryPath: (agent, path) => agents.find(({ id }) => id === agent)?.memories?.isMemoryPath(path) ?? false,
        async ask(question) {
          if (unavailable) return unavailable
          const [{ ask }, { modelContext }] = await Promise.all([
            import('./models/ask.ts'),
            import('./models/context.ts'),
          ])
          const answer = await ask(await modelContext({ ledger, clock, config, machine, zone }), question)
          // Within one run no provider becomes available, and after two failures none is asked again: each
          // attempt may take minutes.
          if (answer.kind === 'failed') failures++
          if (answer.kind === 'unavailable' || failures >= 2)
            unavailable = { kind: 'unavailable', reasons: reasonsOf(answer) }
          return answer
        },
        async fork(question) {
          const [{ askFork }, { modelContext }] = await Promise.all([
            import('./models/fork/ask-fork.ts'),
            import('./models/context.ts'),
          ])
          return askFork(await modelContext({ ledger, clock, config, machine, zone }), question)
        },
      }
    },
  }
}

/** Some jobs run with an empty HOME: that must not become the folder they run in. */
function homeFolder(): string {
  return [process.env.HOME ?? '', homedir()].find(isAbsolute) ?? userInfo().homedir
}

function reasonsOf(answer: ModelResponse<unknown>): ProviderReason[] {
  return answer.kind === 'answered' ? [] : answer.reasons
}

function checkAgents(config: Config, layout: Layout): void {
  for (const name of [...Object.keys(config.sources), ...config.capture.skipAgents]) {
    const known = agents.map((agent) => agent.id)
    if (known.includes(name)) continue
    const suggestion = nearest(name, known)
    throw new UserError(
      `${layout.config}: unknown agent ${name}`,
      suggestion ? `Did you mean ${suggestion}?` : `Known agents: ${known.join(', ')}`,
    )
  }
}

/** Colour is for people at a terminal who have not said no. */
export function wantsColour(stream: NodeJS.WriteStream): boolean {
  if (process.env.NO_COLOR) return false
  return stream.isTTY === true || Boolean(process.env.FORCE_COLOR)
}
