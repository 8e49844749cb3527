// A damaged or lost ledger is replaced by the next sweep. Nothing that is stored elsewhere is lost.
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { layoutOf } from '../src/core/paths.ts'
import { keptTranscripts } from '../src/history/kept-transcript.ts'
import { remember } from '../src/learn/change.ts'
import { changeMemories, memoryHistory } from '../src/store/memories/changes.ts'
import { listMemories } from '../src/store/memories/memories.ts'
import { suspectDamage } from '../src/store/recovery/ledger-files.ts'
import { bestPassages } from '../src/store/search/passage-search.ts'
import { readBody } from '../src/store/sessions/bodies.ts'
import { bodyOfSession } from '../src/store/sessions/session-bodies.ts'
import { listSessions, type SessionView } from '../src/store/sessions/sessions.ts'
import { sweep } from '../src/sweep.ts'
import { termsOf } from '../src/text/terms.ts'
import { claudeSession, type Place, place, sessionName } from './program.ts'
import { sample } from './proof.ts'

const count = 6
const path = (index: number) => `.claude/projects/-home-dev-app/${sessionName(index)}.jsonl`
const says = (index: number) => (turn: number) =>
  turn === 1 ? `Always run tools/check-${index}.sh before every commit, never skip it.` : undefined

const appAt = ({ home, store }: Place): App =>
  createApp({ machine: { home, env: { RECOLLECT_HOME: store }, platform: 'linux', name: 'test' } })

interface Knowledge {
  sessions: { id: string; events: number; project: string | null; title: string | null }[]
  texts: Record<string, string[]>
  /** What can be restored; a transcript that was read at another place is kept twice. */
  transcripts: Record<string, string[]>
  found: string[]
  memories: {
    id: string
    text: string
    state: string
    contradicts: string | null
    said: number
    learnedAt: string | null
    sources: (string | null)[]
    history: string[]
  }[]
}

function knowledgeOf(at: Place): Knowledge {
  const ledger = appAt(at).existingLedger()
  try {
    const sessions = listSessions(ledger).map(({ id, counts, project, title }) => ({
      id,
      events: counts.events,
      project,
      title,
    }))
    sessions.sort((a, b) => (a.id < b.id ? -1 : 1))
    const texts = Object.fromEntries(
      sessions.map(({ id }) => {
        const body = bodyOfSession(ledger, id)!
        return [id, [...readBody(ledger.layout.bodies, body.file, body.bytes)].map(({ text }) => text)]
      }),
    )
    const contents = (session: SessionView) =>
      keptTranscripts(ledger, session).map(({ read }) =>
        Buffer.concat([...read()].map(({ bytes }) => bytes)).toString(),
      )
    const transcripts = Object.fromEntries(
      listSessions(ledger).map((session) => [session.id, [...new Set(contents(session))]]),
    )
    const words = Array.from({ length: count }, (_, index) => `check-${index}.sh`)
    const found = words.filter((word) => {
      const match = { any: [], phrases: termsOf(word).map((term) => [term]) }
      return bestPassages(ledger, match, { kinds: ['event'] }, 5).length > 0
    })
    const memories = listMemories(ledger).map(({ id, text, state, contradicts, counts, learnedAt, evidence }) => ({
      id,
      text,
      state,
      contradicts,
      said: counts.said,
      // Candidates have no file in the vault: they are found again in the texts.
      learnedAt: state === 'candidate' ? null : learnedAt,
      sources: evidence.map(({ session }) => session),
      history: memoryHistory(ledger, id).map(({ change }) => change.about),
    }))
    return { sessions, texts, transcripts, found, memories: memories.sort((a, b) => (a.id < b.id ? -1 : 1)) }
  } finally {
    ledger.close()
  }
}

function overwrite(file: string, at: number, bytes: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(bytes, 0xa5), 0, bytes, at)
  closeSync(handle)
}

const pageSize = 16_384

/** How a ledger is damaged, and whether the history of memories can be read from the rest. */
const damages: { name: string; hasHistory: boolean; damage(ledger: string): void }[] = [
  { name: 'in its header', hasHistory: true, damage: (ledger) => overwrite(ledger, 0, 100) },
  {
    name: 'in a page in the middle',
    hasHistory: false,
    damage: (ledger) => {
      const pages = statSync(ledger).size / pageSize
      for (let page = Math.floor(pages / 3); page < (2 * pages) / 3; page += 3)
        overwrite(ledger, page * pageSize, pageSize)
    },
  },
  {
    name: 'by being cut off',
    hasHistory: false,
    damage: (ledger) => truncateSync(ledger, Math.floor(statSync(ledger).size / 2)),
  },
  { name: 'by being emptied', hasHistory: false, damage: (ledger) => truncateSync(ledger, 0) },
  {
    name: 'by being replaced by text',
    hasHistory: false,
    damage: (ledger) => writeFileSync(ledger, 'This is not a database, but it is long enough.\n'.repeat(1000)),
  },
  {
    name: 'by a folder in its place',
    hasHistory: false,
    damage: (ledger) => {
      rmSync(ledger)
      mkdirSync(join(ledger, 'inside'), { recursive: true })
    },
  },
  { name: 'by being deleted', hasHistory: false, damage: (ledger) => rmSync(ledger) },
]

const transcripts = [
  { which: 'all transcripts', isGone: () => false },
  { which: 'half of the transcripts', isGone: (index: number) => index % 2 === 1 },
  { which: 'no transcripts', isGone: () => true },
]

let whole: Place
let before: Knowledge
beforeAll(async () => {
  const files = Array.from({ length: count }, (_, index): [string, object[]] => [
    path(index),
    claudeSession(sessionName(index), 12, { says: says(index), padding: 40 }),
  ])
  whole = place(Object.fromEntries(files))
  const app = appAt(whole)
  await sweep(app)
  const ledger = app.ledger()
  const context = { ledger, clock: app.clock, origin: 'test' }
  const [byHand] = remember(context, { text: 'Releases are cut from main on Tuesdays', project: null }).kept
  const edited = { ...byHand!, text: 'Releases are cut from main on Wednesdays', version: 2 }
  changeMemories(ledger, { at: '2026-11-01T10:00:00.000Z', kind: 'edited', about: 'moved by a day' }, [edited])
  const open = {
    ...byHand!,
    id: 'm-open',
    text: 'Releases are cut from develop',
    state: 'inbox' as const,
    contradicts: byHand!.id,
    project: '/home/dev/app',
  }
  changeMemories(ledger, { at: '2026-11-01T11:00:00.000Z', kind: 'learned', about: 'a session' }, [open])
  ledger.close()
  await sweep(app)
  before = knowledgeOf(whole)
})
afterAll(() => whole.remove())

let at: Place | undefined
afterEach(() => at?.remove())

function damagedCopy(damage: (ledger: string) => void, isGone: (index: number) => boolean): Place {
  const copy = place()
  at = copy
  cpSync(whole.home, copy.home, { recursive: true })
  cpSync(whole.store, copy.store, { recursive: true })
  for (let index = 0; index < count; index++) if (isGone(index)) rmSync(join(copy.home, path(index)))
  damage(join(copy.store, 'ledger.db'))
  return copy
}

/**
 * A sweep that finds nothing new may not read a damaged page. The first command that does leaves a
 * note, and the next sweep replaces the ledger.
 */
async function sweepDamaged(place: Place): Promise<Awaited<ReturnType<typeof sweep>>> {
  const result = await sweep(appAt(place))
  try {
    knowledgeOf(place)
    return result
  } catch (error) {
    suspectDamage(layoutOf(place.store), error)
    return sweep(appAt(place))
  }
}

const cases = damages.flatMap((one) => transcripts.map((other) => ({ ...one, ...other })))

describe('SPEC A.31: sweep after the ledger was damaged', () => {
  it('has sessions, memories and a history to lose', () => {
    expect(before.sessions).toHaveLength(count)
    expect(before.found).toHaveLength(count)
    expect(before.memories.length).toBeGreaterThan(count)
    expect(before.memories.find(({ text }) => text.includes('Wednesdays'))?.history).toHaveLength(2)
  })

  it.each(sample(cases, 5))('$name, with $which, brings everything back', async ({ damage, isGone, hasHistory }) => {
    const place = damagedCopy(damage, isGone)
    expect(await sweepDamaged(place)).toMatchObject({ kind: 'done', report: { failed: [] } })
    const after = knowledgeOf(place)
    expect(after.sessions).toEqual(before.sessions)
    expect(after.texts).toEqual(before.texts)
    expect(after.found).toEqual(before.found)
    const plain = ({ memories }: Knowledge) => memories.map(({ history: _, ...memory }) => memory)
    expect(plain(after)).toEqual(plain(before))
    for (const { state, history } of after.memories)
      expect(history.length > 0, 'candidates have no history').toBe(state !== 'candidate')
    if (hasHistory) expect(after.memories).toEqual(before.memories)
    expect(after.transcripts).toEqual(before.transcripts)

    expect(await sweep(appAt(place))).toMatchObject({
      kind: 'done',
      report: { adopted: 0, events: 0, learned: 0, proposed: 0 },
    })
    expect(knowledgeOf(place)).toEqual(after)
  })
})

describe('a damaged ledger', () => {
  it('is moved to backups with a report, and never deleted', async () => {
    const place = damagedCopy(damages[0]!.damage, () => false)
    const damaged = readFileSync(join(place.store, 'ledger.db'))
    const result = await sweep(appAt(place))
    if (result.kind !== 'done') throw new Error('busy')
    const { recovery } = result.report
    expect(recovery).toMatchObject({ reason: 'file is not a database', sessions: count })
    expect(readFileSync(join(recovery!.folder, 'ledger.db')).equals(damaged)).toBe(true)
    expect(
      readdirSync(place.store)
        .filter((name) => name.startsWith('ledger.db'))
        .sort(),
    ).toEqual(['ledger.db'])
    expect((await sweep(appAt(place))).kind).toBe('done')
    expect(readdirSync(join(place.store, 'backups'))).toHaveLength(1)
  })
})

describe('a damaged write-ahead log', () => {
  it('loses at most the last transactions, which transcripts and vault bring back', async () => {
    const copy = place()
    at = copy
    cpSync(whole.home, copy.home, { recursive: true })
    const app = appAt(copy)
    await sweep(app)
    const ledger = app.ledger()
    remember({ ledger, clock: app.clock, origin: 'test' }, { text: 'The log is checked on Mondays', project: null })
    // Copied while it is open, because closing it writes the log into the ledger.
    const copies = ['', '-wal'].map((end) => `${copy.store}/ledger.db${end}`)
    for (const file of copies) if (existsSync(file)) copyFileSync(file, `${file}.kept`)
    ledger.close()
    for (const file of copies) {
      rmSync(file, { force: true })
      copyFileSync(`${file}.kept`, file)
      rmSync(`${file}.kept`)
    }
    const log = `${copy.store}/ledger.db-wal`
    overwrite(log, Math.floor(statSync(log).size / 2), 2000)
    expect(await sweep(appAt(copy))).toMatchObject({ kind: 'done', report: { failed: [] } })
    const after = knowledgeOf(copy)
    expect(after.sessions).toEqual(before.sessions)
    expect(after.texts).toEqual(before.texts)
    expect(after.found).toEqual(before.found)
  })
})
