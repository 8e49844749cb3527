// Machines for tests of sync: each with a ledger in a temporary folder, all on one server in this
// process.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isoTime } from '../../src/core/clock.ts'
import { parseConfig } from '../../src/core/config/config.ts'
import { layoutOf } from '../../src/core/paths.ts'
import { redact } from '../../src/core/redact/redact.ts'
import type { Memory } from '../../src/memory/memory.ts'
import type { HttpApp } from '../../src/server/http/app.ts'
import { type Ledger, openLedger } from '../../src/store/ledger.ts'
import { type ChangeKind, changeMemories, memoryHistory } from '../../src/store/memories/changes.ts'
import { listMemories, memoryById } from '../../src/store/memories/memories.ts'
import type { SyncContext } from '../../src/sync/item-kind.ts'
import { joinServer } from '../../src/sync/join.ts'
import { type SyncOptions, type SyncResult, sync } from '../../src/sync/sync.ts'
import { sampleMemory } from '../sample-memory.ts'

export const address = 'https://memory.example.com'

export interface TestMachine {
  name: string
  key: string
  ledger: Ledger
  context: SyncContext
  /** The clock of this machine, which may be wrong. */
  time: { ms: number }
  /** Sends requests to the server; tests may replace it. */
  net: { fetch: typeof fetch }
  join(): Promise<void>
  sync(options?: Partial<SyncOptions>): Promise<SyncResult>
  /** Writes memories as one change, as users and judges do. */
  write(...memories: (Partial<Memory> & { id: string })[]): void
  forget(id: string): void
  memory(id: string): Memory | undefined
  /** Texts of current memories. */
  texts(): string[]
  /** Texts of memories in the inbox. */
  inbox(): string[]
  history(id: string): string[]
  restart(): void
  remove(): void
}

export function fetchOf(httpApp: HttpApp): typeof fetch {
  return (input, init) => httpApp.fetch(new Request(input, init))
}

export function machine(name: string, key: string, httpApp: HttpApp, settings = ''): TestMachine {
  const root = mkdtempSync(join(tmpdir(), `recollect-sync-${name}-`))
  const layout = layoutOf(root)
  const time = { ms: Date.parse('2026-09-01T10:00:00.000Z') }
  const config = parseConfig(`[sync]\nserver = "${address}"\n${settings}`, 'config.toml')
  const contextOf = (ledger: Ledger): SyncContext => ({
    ledger,
    clock: { nowMs: () => time.ms },
    config,
    origin: name,
    redact,
  })
  const ledger = openLedger(layout)
  const change = (kind: ChangeKind, memories: (Partial<Memory> & { id: string })[]) => {
    const at = isoTime(time.ms)
    const whole = memories.map((memory) => {
      const before = memoryById(made.ledger, memory.id)
      return before
        ? { ...before, ...memory, version: before.version + 1 }
        : sampleMemory({ at, origin: name, ...memory })
    })
    made.ledger.transaction(() => changeMemories(made.ledger, { at, kind, about: 'a test' }, whole))
  }
  const textsOf = (isMeant: (memory: Memory) => boolean) =>
    listMemories(made.ledger)
      .filter(isMeant)
      .map(({ text }) => text)
      .sort()
  const made: TestMachine = {
    name,
    key,
    ledger,
    context: contextOf(ledger),
    time,
    net: { fetch: fetchOf(httpApp) },
    async join() {
      await joinServer(made.context, { layout }, { server: address, key, isInsecure: false, fetch: made.net.fetch })
    },
    sync: (options = {}) => sync(made.context, { key: made.key, isForced: true, fetch: made.net.fetch, ...options }),
    write: (...memories) => change('remembered', memories),
    forget: (id) => change('forgotten', [{ id, state: 'forgotten' }]),
    memory: (id) => memoryById(made.ledger, id),
    texts: () => textsOf(({ state, supersededBy }) => state === 'kept' && supersededBy === null),
    inbox: () => textsOf(({ state }) => state === 'inbox'),
    history: (id) => memoryHistory(made.ledger, id).map(({ change }) => change.kind),
    restart() {
      made.ledger.close()
      made.ledger = openLedger(layout)
      made.context = contextOf(made.ledger)
    },
    remove() {
      made.ledger.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
  return made
}
