// A temporary home, swept by the real program, and what its ledger says afterwards.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type App, createApp } from '../../src/app.ts'
import type { DiscoveredTranscript } from '../../src/capture/context.ts'
import { discover } from '../../src/capture/discover.ts'
import { fixedClock } from '../../src/core/clock.ts'
import type { Machine } from '../../src/core/paths.ts'
import type { SweepReport } from '../../src/pipeline.ts'
import type { Ledger } from '../../src/store/ledger.ts'
import { readBody, type StoredEvent } from '../../src/store/sessions/bodies.ts'
import { bodyOfSession } from '../../src/store/sessions/session-bodies.ts'
import { listSessions, type SessionView } from '../../src/store/sessions/sessions.ts'
import { type SweepOptions, sweep } from '../../src/sweep.ts'

export interface TestHome {
  path: string
  machine: Machine
  /** Puts one file where an agent would have it; gives back its path. */
  write(place: string, content: string | Uint8Array): string
  sweep(options?: SweepOptions): Promise<SweepReport>
  /** Every transcript that a sweep would look at. */
  found(): DiscoveredTranscript[]
  /** Opens the ledger, hands it over and closes it. */
  look<T>(see: (ledger: Ledger) => T): T
  sessions(): SessionView[]
  events(session: string): StoredEvent[]
  remove(): void
}

export function testHome(env: Record<string, string> = {}): TestHome {
  const path = mkdtempSync(join(tmpdir(), 'recollect-home-'))
  const { machine } = appOfHome(path, env)
  const app = () => appOfHome(path, env)
  const look = <T>(see: (ledger: Ledger) => T): T => {
    const ledger = app().existingLedger()
    try {
      return see(ledger)
    } finally {
      ledger.close()
    }
  }
  return {
    path,
    machine,
    look,
    write(place, content) {
      const to = join(path, place)
      mkdirSync(dirname(to), { recursive: true })
      writeFileSync(to, content)
      return to
    },
    async sweep(options) {
      const swept = await sweep(app(), options)
      if (swept.kind !== 'done') throw new Error('another sweep holds the lock')
      return swept.report
    },
    found: () => discover(app()),
    sessions: () => look((ledger) => listSessions(ledger)),
    events: (session) => look((ledger) => eventsOf(ledger, session)),
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** The program in a home that exists, at the time of all test homes. */
export function appOfHome(path: string, env: Record<string, string> = {}): App {
  const own = Object.entries(env).map(([name, value]) => [name, value.replaceAll('$HOME', path)])
  const machine: Machine = {
    home: path,
    env: { ...Object.fromEntries(own), RECOLLECT_HOME: join(path, '.recollect') },
    platform: 'linux',
  }
  return createApp({ machine, clock: fixedClock('2026-11-01T12:00:00Z') })
}

export function eventsOf(ledger: Ledger, session: string): StoredEvent[] {
  const body = bodyOfSession(ledger, session)
  return body ? [...readBody(ledger.layout.bodies, body.file, body.bytes)] : []
}

/** Everything that a sweep leaves behind, except for when it did so and where the home is: for comparing two ledgers. */
export function contentsOf(home: TestHome) {
  const contents = home.look((ledger) => ({
    sessions: listSessions(ledger)
      .map(({ transcript: _, capturedAt: __, digestedAt: ___, ...session }) => session)
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    events: Object.fromEntries(listSessions(ledger).map(({ id }) => [id, eventsOf(ledger, id)])),
    usage: ledger
      .sql('SELECT u.*, s.uid FROM usage u JOIN sessions s ON s.id = u.session ORDER BY hex(u.key)')
      .all()
      .map(({ key, session: _, ...row }) => ({ key: Buffer.from(key as Uint8Array).toString('hex'), ...row })),
  }))
  // A project may be called by the end of its path.
  const text = JSON.stringify(contents).replaceAll(home.path, '$HOME').replaceAll(basename(home.path), '$HOME')
  return JSON.parse(text) as typeof contents
}

/** Every row of every table but the notes, which say when the last sweep was. */
export function dumpOf(home: TestHome): Record<string, unknown[]> {
  const tables = 'projects sessions events usage digests cursors problems drift redactions'.split(' ')
  return home.look((ledger) =>
    Object.fromEntries(tables.map((table) => [table, ledger.sql(`SELECT * FROM ${table}`).all()])),
  )
}

/** The homes that the readers are tested with: test/agents/contract.test.ts says what they are. */
export const fixtures = join(import.meta.dirname, '../agents/fixtures')

export function fixtureEnv(agent: string): Record<string, string> {
  const file = join(fixtures, agent, 'env.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
}

/** A copy of the fixture; files are as old as their place in the order of their names, so that sweeps take the same order. */
export function copyFixture(agent: string, home: TestHome): void {
  cpSync(join(fixtures, agent, 'home'), home.path, { recursive: true })
  for (const [index, path] of filesIn(home.path).entries())
    utimesSync(path, 1_788_000_000 + index, 1_788_000_000 + index)
}

export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** The folder of public transcripts beside the project; undefined where it is not there. */
export function findCorpus(name = 'corpus'): string | undefined {
  const folder = join(import.meta.dirname, '../../../shared', name)
  return existsSync(join(folder, 'INDEX.tsv')) ? folder : undefined
}
