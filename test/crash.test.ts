// Kill it at any moment and start again: nothing is lost, nothing is doubled.
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { layoutOf } from '../src/core/paths.ts'
import { openDatabase } from '../src/core/sqlite.ts'
import { openLedger, quickCheck } from '../src/store/ledger.ts'
import { migrations } from '../src/store/migrations.ts'
import { orphanedBodies } from '../src/store/sessions/evictions.ts'
import { dump } from './dump.ts'
import { claudeSession, exited, killAfter, lines, type Place, place, recollect, sessionName, start } from './program.ts'
import { isProof, sample, scaled } from './proof.ts'
import { randomNumbers } from './random.ts'

const places: Place[] = []
afterEach(() => {
  for (const one of places.splice(0)) one.remove()
})

/** Of each stage in `npm run test:proof`. */
const kills = Number(process.env.RECOLLECT_TEST_KILLS ?? 12)

describe('killed sweep', () => {
  it.runIf(isProof)('at random moments leaves what an undisturbed sweep leaves, once it is run again', async () => {
    const files = manySessions()
    const calm = made(files)
    const begun = performance.now()
    expect(recollect(calm, 'sweep').status).toBe(0)
    const fullMs = performance.now() - begun
    const expected = withoutHome(dump(calm.store), calm)
    expect(expected.memories).toHaveLength(40 * 4 + 36)
    const random = randomNumbers()
    for (let trial = 0; trial < scaled(1, kills); trial++) {
      const disturbed = made(files)
      await killAfter(start(disturbed, 'sweep'), 30 + random() * fullMs)
      const again = recollect(disturbed, 'sweep')
      expect(again.status, again.err).toBe(0)
      expect(withoutHome(dump(disturbed.store), disturbed)).toEqual(expected)
      expect(leftovers(disturbed)).toEqual([])
      expect(recollect(disturbed, 'sweep', '--json').json()).toMatchObject({ ingested: 0, events: 0, adopted: 0 })
      disturbed.remove()
    }
  })
})

/** A command on a store, and what the store is to be like once the command ran to its end. */
interface KilledCommand {
  name: string
  command: string[]
  /** Changes a store that was swept. */
  prepare(at: Place): void
  /** What is compared with an undisturbed run. */
  result(at: Place): unknown
}

const killed: KilledCommand[] = [
  {
    name: 'recovery of a damaged ledger, with half of the transcripts gone',
    command: ['sweep'],
    prepare(at) {
      removeTranscripts(at)
      writeFileSync(join(at.store, 'ledger.db'), 'not a database '.repeat(5000))
    },
    result: (at) => ({ ...knowledgeOf(at), damaged: readdirSync(join(at.store, 'backups')).length }),
  },
  {
    name: 'recovery of a ledger that can be read in part',
    command: ['sweep'],
    prepare(at) {
      removeTranscripts(at)
      truncateSync(join(at.store, 'ledger.db'), Math.floor(statSync(join(at.store, 'ledger.db')).size * 0.6))
    },
    result: (at) => ({ ...knowledgeOf(at), damaged: readdirSync(join(at.store, 'backups')).length }),
  },
  {
    name: 'adoption after the ledger was deleted',
    command: ['sweep'],
    prepare(at) {
      removeTranscripts(at)
      rmSync(join(at.store, 'ledger.db'))
    },
    result: knowledgeOf,
  },
  { name: 'rebuild', command: ['rebuild'], prepare() {}, result: knowledgeOf },
  {
    name: 'repair of damaged bodies',
    command: ['sweep', '--full'],
    prepare(at) {
      for (const file of bodyFiles(at)) {
        const content = readFileSync(file)
        content.fill(0x55, content.length - 40, content.length - 20)
        writeFileSync(file, content)
      }
    },
    result: knowledgeOf,
  },
  {
    name: 'retention',
    command: ['sweep', '--evict'],
    prepare: (at) => writeFileSync(join(at.store, 'config.toml'), '[retain]\nsoft = "1 MB"\nhard = "2 MB"\n'),
    result: (at) => knowledgeOf(at).sessions,
  },
]

describe('killed command', () => {
  it.each(sample(killed, 1))('$name: once it is run again, nothing is lost, doubled or left over', async (one) => {
    const swept = made(fewSessions())
    expect(recollect(swept, 'sweep').status).toBe(0)
    const copy = (): Place => {
      const place = made(fewSessions())
      cpSync(swept.store, place.store, { recursive: true })
      // Copies have other times and places; the first sweep gets used to them.
      expect(recollect(place, 'sweep').status).toBe(0)
      one.prepare(place)
      return place
    }
    const calm = copy()
    const begun = performance.now()
    expect(await exited(start(calm, ...one.command))).toBe(0)
    const fullMs = performance.now() - begun
    const expected = withoutHome(one.result(calm), calm)
    const random = randomNumbers()
    for (let trial = 0; trial < scaled(1, kills); trial++) {
      const disturbed = copy()
      await killAfter(start(disturbed, ...one.command), 20 + random() * fullMs)
      const again = recollect(disturbed, ...one.command)
      expect(again.status, again.err).toBe(0)
      expect(recollect(disturbed, 'sweep').status).toBe(0)
      expect(withoutHome(one.result(disturbed), disturbed)).toEqual(expected)
      expect(leftovers(disturbed)).toEqual([])
      disturbed.remove()
    }
  })

  it.runIf(isProof)('deletion and its undo: all or nothing, whenever they are killed', async () => {
    const random = randomNumbers()
    const swept = made(fewSessions())
    expect(recollect(swept, 'sweep').status).toBe(0)
    const before = withoutHome(knowledgeOf(swept), swept)
    const command = ['delete', '--project', '/home/dev/app', '--yes']
    for (let trial = 0; trial < scaled(1, kills); trial++) {
      const at = made(fewSessions())
      cpSync(swept.store, at.store, { recursive: true })
      expect(recollect(at, 'sweep').status).toBe(0)
      await killAfter(start(at, ...command), 20 + random() * 1200)
      expect(recollect(at, 'sweep').status).toBe(0)
      const after = knowledgeOf(at)
      if (after.sessions.length > 0) {
        expect(withoutHome(after, at)).toEqual(before)
        expect(recollect(at, ...command).status).toBe(0)
      }
      expect(knowledgeOf(at)).toEqual({ sessions: [], texts: [], memories: [], journal: [] })
      await killAfter(start(at, 'undo'), 20 + random() * 1200)
      expect(recollect(at, 'sweep').status).toBe(0)
      if (knowledgeOf(at).sessions.length === 0) expect(recollect(at, 'undo').status).toBe(0)
      expect(recollect(at, 'sweep').status).toBe(0)
      expect(withoutHome(knowledgeOf(at), at)).toEqual(before)
      expect(leftovers(at)).toEqual([])
      at.remove()
    }
  })

  it('update of the ledger: the backup is whole, and the update is done once', async () => {
    const random = randomNumbers()
    const version = migrations.length - 1
    for (let trial = 0; trial < scaled(1, kills); trial++) {
      const at = made({})
      const layout = layoutOf(at.store)
      const old = openLedger(layout, migrations.slice(0, version))
      old.transaction(() => {
        for (let row = 0; row < 20_000; row++)
          old
            .sql('INSERT INTO changes (at, kind, about) VALUES (?, ?, ?)')
            .run('2026-01-01', 'learned', `row ${row} `.repeat(20))
      })
      old.close()
      await killAfter(start(at, 'status'), 20 + random() * 400)
      expect(recollect(at, 'status').status).toBe(0)
      const copy = openDatabase(join(layout.backups, `ledger-v${version}.db`), { readOnly: true })
      expect(quickCheck(copy)).toBe('ok')
      expect(copy.sql('SELECT count(*) AS count FROM changes').get()!.count).toBe(20_000)
      copy.close()
      expect(readdirSync(layout.backups)).toEqual([`ledger-v${version}.db`])
      at.remove()
    }
  })
})

function removeTranscripts({ home }: Place): void {
  for (let index = 0; index < 8; index += 2) rmSync(join(home, transcript(index)))
}

/** What a user can see: sessions with their texts, and memories. */
function knowledgeOf({ store }: Place) {
  const { sessions, events, memories, journal } = dump(store)
  return {
    sessions: sessions.map(({ uid, events, prompts, cwd, title }) => ({ uid, events, prompts, cwd, title })),
    texts: events.map(({ session, seq, text }) => [session, seq, text]),
    memories: memories.map(({ id, text, said, state }) => ({ id, text, said, state })),
    journal,
  }
}

/** Temporary files, bodies that no session names, and marks of killed processes. */
function leftovers(at: Place): string[] {
  const all = readdirSync(at.store, { recursive: true, encoding: 'utf8' })
  const temporary = all.filter((name) => /\.tmp$|\.killed$|\.rebuil|ledger-suspect/.test(name))
  const ledger = openLedger(layoutOf(at.store))
  try {
    return [...temporary, ...orphanedBodies(ledger)]
  } finally {
    ledger.close()
  }
}

function bodyFiles({ store }: Place): string[] {
  return readdirSync(join(store, 'bodies'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.zst'))
    .map((name) => join(store, 'bodies', name))
}

function transcript(index: number): string {
  return `.claude/projects/-home-dev-app/${sessionName(index)}.jsonl`
}

function fewSessions(): Record<string, string> {
  const says = (turn: number) =>
    turn === 3 ? 'Always run tools/check.sh before every commit, never skip it.' : undefined
  return Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [
      transcript(index),
      lines(claudeSession(sessionName(index), 30, { padding: 100, says })),
    ]),
  )
}

function made(files: Record<string, string>): Place {
  const one = place(files)
  places.push(one)
  return one
}

/** Enough that reading goes on in a second thread, with one session large enough to be written in several parts. */
function manySessions(): Record<string, string> {
  const files: Record<string, string> = {}
  for (let index = 0; index < 40; index++) {
    const session = sessionName(index)
    const turns = index === 7 ? 400 : 40
    const says = (turn: number) =>
      turn % 10 === 3 ? `Always run tools/check-${index}-${turn}.sh before every commit, never skip it.` : undefined
    files[`.claude/projects/-home-dev-app/${session}.jsonl`] = lines(
      claudeSession(session, turns, { padding: 200, says }),
    )
  }
  return files
}

/** Two homes differ by their place only. */
function withoutHome<T>(value: T, { home }: Place): T {
  return JSON.parse(JSON.stringify(value).replaceAll(home, '~'))
}
