// Sessions of one machine on another, through the real server in this process.
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { capture } from '../src/capture/capture.ts'
import { parseConfig } from '../src/core/config/config.ts'
import { layoutOf } from '../src/core/paths.ts'
import { redact } from '../src/core/redact/redact.ts'
import { deleteSessions } from '../src/delete/delete.ts'
import { planDeletion } from '../src/delete/plan.ts'
import { undoDeletion } from '../src/delete/restore.ts'
import { readDigest } from '../src/digest/digest.ts'
import type { ServerDatabase } from '../src/server/database/database.ts'
import type { HttpApp } from '../src/server/http/app.ts'
import { setDeletionState } from '../src/store/deletion/deletions.ts'
import { type Ledger, openLedger } from '../src/store/ledger.ts'
import { changeById, changeMemories } from '../src/store/memories/changes.ts'
import { unlearnedSessions } from '../src/store/memories/learning.ts'
import { sessionsToCount } from '../src/store/memories/usage.ts'
import { evictBody, storedBodies } from '../src/store/sessions/evictions.ts'
import { refusedItems } from '../src/store/sync/outbox.ts'
import { deleteSpace, saveReconciled } from '../src/store/sync/spaces.ts'
import { applyRemote, inSyncTransaction } from '../src/sync/engine/engine.ts'
import type { SyncContext } from '../src/sync/item-kind.ts'
import { joinServer } from '../src/sync/join.ts'
import { type PullPage, type PushRequest, pullPageSchema, type SyncItem } from '../src/sync/protocol.ts'
import { isSyncDue } from '../src/sync/state.ts'
import { type SyncResult, sync } from '../src/sync/sync.ts'
import { contentsOf, copyFixture, eventsOf, fixtureEnv, type TestHome, testHome } from './corpus/home.ts'
import { claudeSession, lines, sessionName } from './program.ts'
import { isProof, sample } from './proof.ts'
import { sampleMemory } from './sample-memory.ts'
import { type OpenedDatabase, serverDatabase } from './server/databases.ts'
import { addKey, addUser, createTestApp } from './server/test-app.ts'

const address = 'https://memory.example.com'
const everything = 'sessions = ["**"]'
const agents = [
  'claude-code',
  'codex',
  'opencode',
  'cline',
  'gemini-cli',
  'goose',
  'aider',
  'copilot-cli',
  'pi',
  'kimi',
]

interface Box {
  name: string
  home: TestHome
  ledger: Ledger
  context: SyncContext
  key: string
  time: { ms: number }
  /** What was sent with the last exchange, and a way to change what comes. */
  net: { sent: PushRequest['items']; onPage(page: PullPage): PullPage }
  /** Says what is to be sent from now on. */
  choose(settings: string): void
  sync(isForced?: boolean): Promise<SyncResult>
}

/** One database is enough: the tests of the server check that both store the same. */
const { open } = serverDatabase

describe('session sync', () => {
  let opened: OpenedDatabase
  let database: ServerDatabase
  let httpApp: HttpApp
  let boxes: Box[] = []

  beforeEach(async () => {
    opened = await open()
    database = opened.database
    httpApp = createTestApp(database)
    boxes = []
    await addUser(database, 'ann')
  })
  afterEach(async () => {
    for (const { ledger, home } of boxes) {
      ledger.close()
      home.remove()
    }
    await opened.stop()
  })

  async function box(name: string, settings = '', env: Record<string, string> = {}): Promise<Box> {
    const home = testHome(env)
    const { text: key } = await addKey(database, 'ann')
    const ledger = openLedger(layoutOf(join(home.path, '.recollect')))
    const time = { ms: Date.parse('2026-11-01T12:00:00Z') }
    const config = (words: string) => parseConfig(`[sync]\nserver = "${address}"\n${words}`, 'config.toml')
    const context: SyncContext = {
      ledger,
      clock: { nowMs: () => time.ms },
      config: config(settings),
      origin: name,
      home: home.path,
      redact,
    }
    const net: Box['net'] = { sent: [], onPage: (page) => page }
    const made: Box = {
      name,
      home,
      ledger,
      context,
      key,
      time,
      net,
      choose(words) {
        context.config = config(words)
      },
      sync(isForced = true) {
        net.sent = []
        return sync(context, { key, isForced, fetch: fetchThrough(net) })
      },
    }
    boxes.push(made)
    const joining = { server: address, key, isInsecure: false, fetch: fetchThrough(net) }
    await joinServer(context, { layout: ledger.layout }, joining)
    // Sweeps of the home are about its transcripts: they know of no server.
    rmSync(ledger.layout.config)
    return made
  }

  function fetchThrough(net: Box['net']): typeof fetch {
    return async (input, init) => {
      const request = new Request(input, init)
      if (request.url.endsWith('/push')) net.sent.push(...(JSON.parse(String(init!.body)) as PushRequest).items)
      const response = await httpApp.fetch(request)
      if (!/\/pull\?/.test(request.url)) return response
      return Response.json(net.onPage(pullPageSchema.parse(await response.json())))
    }
  }

  const heldByServer = async () =>
    (await database.query<{ id: string; document: unknown }>('SELECT id, document FROM items ORDER BY id')).map(
      ({ id, document }) => ({ id, isLive: document !== null, text: JSON.stringify(document) }),
    )

  it.each(sample(agents, 1))(
    'of %s arrive with the same events and the same usage, and are listed and found there',
    async (agent) => {
      const laptop = await box('laptop', everything, fixtureEnv(agent))
      copyFixture(agent, laptop.home)
      await laptop.home.sweep()
      const desk = await box('desk')
      expect(await laptop.sync()).toMatchObject({ failures: [], refused: 0, conflicts: 0 })
      expect(refusedItems(laptop.ledger)).toEqual([])
      expect(await desk.sync()).toMatchObject({ failures: [], pushed: 0 })

      const [from, to] = [placedIn(laptop.home), contentsOf(desk.home)]
      expect(from.sessions.length).toBeGreaterThan(0)
      expect(to.events).toEqual(withoutPrototypes(from.events))
      expect(to.usage).toEqual(from.usage)
      expect(unlearnedSessions(desk.ledger)).toEqual([])
      await desk.home.sweep()
      expect(sessionsToCount(desk.ledger)).toEqual([])
      for (const { id } of from.sessions) expect(readDigest(desk.ledger, id)).toEqual(readDigest(laptop.ledger, id))
      const { sessions } = contentsOf(desk.home)
      expect(sessions.map(({ origin, cwd }) => ({ origin, cwd }))).toEqual(
        sessions.map(() => ({ origin: 'laptop', cwd: null })),
      )
      expect(sessions.map(comparable)).toEqual(from.sessions.map(comparable))

      expect(await laptop.sync()).toMatchObject({ pushed: 0, pulled: 0, failures: [] })
      expect(await desk.sync()).toMatchObject({ pushed: 0, pulled: 0, failures: [] })
    },
  )

  const uid = `claude-code:${sessionName(1)}`
  const transcript = `.claude/projects/-home-dev-app/${sessionName(1)}.jsonl`

  it('sends only sessions of configured projects, when they change', async () => {
    const laptop = await box('laptop')
    laptop.home.write(transcript, lines(claudeSession(sessionName(1), 2)))
    await laptop.home.sweep()
    await laptop.sync()
    expect(await heldByServer()).toEqual([])
    expect(isSyncDue(laptop.context)).toBe(false)

    laptop.choose('sessions = ["/home/dev/other"]')
    expect(isSyncDue(laptop.context)).toBe(false)
    laptop.choose('sessions = ["/home/dev/*"]\nprivate = ["/home/dev/app"]')
    expect(isSyncDue(laptop.context)).toBe(false)
    laptop.choose('sessions = ["/home/dev/*"]')
    expect(isSyncDue(laptop.context)).toBe(true)
    await laptop.sync(false)
    expect(isSyncDue(laptop.context)).toBe(false)
    expect((await heldByServer()).map(({ id }) => id)).toEqual([
      `session:${uid}`,
      `session:${uid}:0`,
      `session:${uid}:u0`,
    ])
  })

  it('extends the last part and adds parts for growing sessions', async () => {
    const [laptop, desk] = [await box('laptop', everything), await box('desk')]
    const long = (turns: number) => claudeSession(sessionName(1), turns, { padding: 3000 })
    laptop.home.write(transcript, lines(long(10)))
    await laptop.home.sweep()
    await laptop.sync()
    const parts = sentParts(laptop)
    expect(parts.length).toBeGreaterThan(2)
    for (const { document } of laptop.net.sent) expect(JSON.stringify(document).length).toBeLessThan(256_000)

    appendFileSync(join(laptop.home.path, transcript), lines(long(12).slice(40)))
    await laptop.home.sweep()
    await laptop.sync(false)
    const [again, ...added] = sentParts(laptop)
    expect(again).toBe(parts.at(-1))
    expect(added.every((id) => !parts.includes(id))).toBe(true)
    await desk.sync()
    expect(eventsOf(desk.ledger, uid)).toEqual(eventsOf(laptop.ledger, uid))
    expect(contentsOf(desk.home).usage).toEqual(contentsOf(laptop.home).usage)
  })

  it('accepts parts in any order', async () => {
    const [laptop, desk] = [await box('laptop', everything), await box('desk')]
    laptop.home.write(transcript, lines(claudeSession(sessionName(1), 12, { padding: 3000 })))
    await laptop.home.sweep()
    await laptop.sync()
    desk.net.onPage = (page) => ({ ...page, items: page.items.toReversed() })
    await desk.sync()
    expect(eventsOf(desk.ledger, uid)).toEqual(eventsOf(laptop.ledger, uid))
    expect(unlearnedSessions(desk.ledger)).toEqual([])
  })

  it.runIf(isProof)('writes overdue parts and reorders when the missing part arrives', async () => {
    const [laptop, desk] = [await box('laptop', everything), await box('desk')]
    laptop.home.write(transcript, lines(claudeSession(sessionName(1), 12, { padding: 3000 })))
    await laptop.home.sweep()
    await laptop.sync()
    const all = eventsOf(laptop.ledger, uid)
    const late: SyncItem[] = []
    desk.net.onPage = (page) => {
      late.push(...page.items.filter(({ id }) => id === `session:${uid}:1`))
      return { ...page, items: page.items.filter((item) => !late.includes(item)) }
    }
    saveReconciled(desk.ledger, 'me', desk.time.ms)
    await desk.sync(false)
    expect(late).toHaveLength(1)
    expect(eventsOf(desk.ledger, uid).length).toBeLessThan(all.length / 2)

    desk.time.ms += 2 * 86_400_000
    saveReconciled(desk.ledger, 'me', desk.time.ms)
    await desk.sync(false)
    const between = eventsOf(desk.ledger, uid)
    expect(between.length).toBeGreaterThan(all.length / 2)
    expect(between.length).toBeLessThan(all.length)

    inSyncTransaction(desk.context, (step) => applyRemote(step, 'me', late[0]!))
    expect(eventsOf(desk.ledger, uid)).toEqual(all)
    expect(contentsOf(desk.home).usage).toEqual(contentsOf(laptop.home).usage)
    expect(unlearnedSessions(desk.ledger)).toEqual([])
  })

  it('stores sessions captured on two machines once; the longer one is sent', async () => {
    const [laptop, desk] = [await box('laptop', everything), await box('desk', everything)]
    for (const one of [laptop, desk]) {
      one.home.write(transcript, lines(claudeSession(sessionName(1), 3)))
      await one.home.sweep()
    }
    await laptop.sync()
    await desk.sync()
    expect(desk.net.sent).toEqual([])
    expect(contentsOf(desk.home).usage).toEqual(contentsOf(laptop.home).usage)
    expect(eventsOf(desk.ledger, uid)).toEqual(eventsOf(laptop.ledger, uid))

    appendFileSync(join(desk.home.path, transcript), lines(claudeSession(sessionName(1), 5).slice(12)))
    await desk.home.sweep()
    await desk.sync()
    expect(sentParts(desk)).toEqual([`session:${uid}:0`])
    for (let round = 0; round < 2; round++) {
      await laptop.sync()
      expect(laptop.net.sent).toEqual([])
      await desk.sync()
      expect(desk.net.sent).toEqual([])
    }
    expect(eventsOf(laptop.ledger, uid)).toEqual(eventsOf(desk.ledger, uid))
    expect(laptop.home.sessions()[0]).toMatchObject({ origin: null, counts: { prompts: 5 } })
  })

  it('does not duplicate a session that is captured after it was received', async () => {
    const [laptop, desk] = [await box('laptop', everything), await box('desk')]
    laptop.home.write(transcript, lines(claudeSession(sessionName(1), 3)))
    await laptop.home.sweep()
    await laptop.sync()
    await desk.sync()
    expect(desk.home.sessions()).toMatchObject([{ id: uid, origin: 'laptop', project: '/home/dev/app' }])
    desk.home.write(transcript, lines(claudeSession(sessionName(1), 3)))
    await desk.home.sweep()
    expect(desk.home.sessions()).toMatchObject([{ id: uid, origin: null, counts: { events: 12 } }])
    expect(eventsOf(desk.ledger, uid)).toEqual(eventsOf(laptop.ledger, uid))
  })

  it.runIf(isProof)('rewrites sessions that an agent rewrote', async () => {
    const [laptop, desk] = [await box('laptop', everything), await box('desk')]
    laptop.home.write('.gemini/tmp/app/.project_root', '/home/dev/app')
    const file = '.gemini/tmp/app/chats/session-2026-09-01T10-00-5b6a7c8d.json'
    const id = `gemini-cli:${geminiName}`
    const all = ['One', 'Uno', 'Two, and more', 'Three']
    // What the document no longer tells stays in the session.
    for (const [said, kept] of [
      [['One', 'Tw']],
      [['One', 'Two, and more']],
      [['Uno', 'Two, and more', 'Three'], all],
      [['Uno'], all],
    ] as const) {
      laptop.home.write(file, gemini([...said]))
      await laptop.home.sweep()
      expect(eventsOf(laptop.ledger, id).map(({ text }) => text)).toEqual(kept ?? said)
      await laptop.sync(false)
      await desk.sync(false)
      desk.time.ms += 3_600_000
      expect(eventsOf(desk.ledger, id)).toEqual(eventsOf(laptop.ledger, id))
      await desk.home.sweep()
      expect(desk.home.sessions()).toMatchObject([{ id, counts: laptop.home.sessions()[0]!.counts }])
      expect(unlearnedSessions(desk.ledger)).toEqual([])
    }
  })

  it.runIf(isProof)('withdraws sessions of removed projects and keeps copies elsewhere', async () => {
    const [laptop, desk] = [await box('laptop', everything), await box('desk')]
    laptop.home.write(transcript, lines(claudeSession(sessionName(1), 2)))
    await laptop.home.sweep()
    await laptop.sync()
    await desk.sync()
    laptop.choose('')
    expect(isSyncDue(laptop.context)).toBe(true)
    await laptop.sync(false)
    expect((await heldByServer()).filter(({ isLive }) => isLive)).toEqual([])
    expect(isSyncDue(laptop.context)).toBe(false)
    await desk.sync()
    expect(eventsOf(desk.ledger, uid)).toEqual(eventsOf(laptop.ledger, uid))
    expect(desk.home.sessions()).toMatchObject([{ origin: 'laptop' }])

    laptop.choose(everything)
    await laptop.sync(false)
    expect((await heldByServer()).filter(({ isLive }) => isLive)).toHaveLength(3)
    await desk.sync()
    expect(eventsOf(desk.ledger, uid)).toEqual(eventsOf(laptop.ledger, uid))
  })

  it('deletes on the server what was deleted here, sends it again after undo, and takes no copy back', async () => {
    const [laptop, desk] = [await box('laptop', everything), await box('desk')]
    laptop.home.write(transcript, lines(claudeSession(sessionName(1), 2)))
    await laptop.home.sweep()
    const learned = sampleMemory({ evidence: [{ session: uid, event: null, quote: 'said' }] })
    laptop.ledger.transaction(() =>
      changeMemories(laptop.ledger, { at: learned.learnedAt, kind: 'learned', about: '' }, [learned]),
    )
    await laptop.sync()
    await desk.sync()
    const live = async () => (await heldByServer()).filter(({ isLive }) => isLive).length
    expect(await live()).toBe(4)

    const change = deleteSessions(laptop.context, planDeletion(laptop.ledger, { uids: [uid] }))
    expect(isSyncDue(laptop.context)).toBe(true)
    await laptop.sync(false)
    expect(await live()).toBe(0)
    setDeletionState(laptop.ledger, change, 'held')
    undoDeletion(laptop.context, changeById(laptop.ledger, change)!)
    await laptop.sync(false)
    expect(await live()).toBe(4)

    await desk.sync()
    deleteSessions(desk.context, planDeletion(desk.ledger, { uids: [uid] }))
    appendFileSync(join(laptop.home.path, transcript), lines(claudeSession(sessionName(1), 4).slice(8)))
    await laptop.home.sweep()
    await laptop.sync()
    await desk.sync()
    expect(desk.home.sessions()).toEqual([])
    expect(laptop.home.sessions()).toMatchObject([{ counts: { prompts: 4 } }])
  })

  it.runIf(isProof)('does not send evicted sessions and keeps earlier copies', async () => {
    const laptop = await box('laptop', everything)
    laptop.home.write(transcript, lines(claudeSession(sessionName(1), 2)))
    await laptop.home.sweep()
    await laptop.sync()
    laptop.home.write(transcript.replace('0001', '0002'), lines(claudeSession(sessionName(2), 2)))
    await laptop.home.sweep()
    for (const body of storedBodies(laptop.ledger)) evictBody(laptop.ledger, body, '2026-11-01T12:00:00Z')
    await laptop.sync()
    expect(laptop.net.sent).toEqual([])
    expect((await heldByServer()).every(({ id, isLive }) => id.startsWith(`session:${uid}`) && isLive)).toBe(true)
  })

  it.runIf(isProof)('appends events after the received copy was evicted', async () => {
    const [laptop, desk] = [await box('laptop', everything), await box('desk')]
    laptop.home.write(transcript, lines(claudeSession(sessionName(1), 2)))
    await laptop.home.sweep()
    await laptop.sync()
    await desk.sync()
    // The file of a deleted body is removed a little later.
    evictBody(desk.ledger, storedBodies(desk.ledger)[0]!, '2026-11-01T12:00:00Z')
    appendFileSync(join(laptop.home.path, transcript), lines(claudeSession(sessionName(1), 3).slice(8)))
    await laptop.home.sweep()
    await laptop.sync()
    await desk.sync()
    await desk.home.sweep()
    expect(eventsOf(desk.ledger, uid)).toEqual(eventsOf(laptop.ledger, uid).slice(8))
  })

  it.runIf(isProof)('sends all sessions to a newly joined server', async () => {
    const laptop = await box('laptop', everything)
    laptop.home.write(transcript, lines(claudeSession(sessionName(1), 12, { padding: 3000 })))
    await laptop.home.sweep()
    await laptop.sync()
    const before = (await heldByServer()).map(({ id, text }) => ({ id, text }))
    await database.query('DELETE FROM items')
    deleteSpace(laptop.ledger, 'me')
    await laptop.sync()
    await laptop.sync()
    expect((await heldByServer()).map(({ id, text }) => ({ id, text }))).toEqual(before)
  })

  it('masks secrets in events instead of refusing them', async () => {
    const [laptop, desk] = [await box('laptop', everything), await box('desk')]
    const token = `ghp_${'a1B2'.repeat(9)}`
    const says = () => `use ${token} please`
    laptop.home.write(transcript, lines(claudeSession(sessionName(1), 2, { says })))
    const app = createApp({ machine: laptop.home.machine })
    const tools = { redact: (texts: readonly string[]) => ({ texts: [...texts], counts: {} }), priceOf: () => null }
    await capture({ ...app.context(laptop.ledger), loadTools: async () => tools })
    expect(JSON.stringify(eventsOf(laptop.ledger, uid))).toContain(token)
    expect(await laptop.sync()).toMatchObject({ refused: 0, failures: [] })
    expect(JSON.stringify(await heldByServer())).not.toContain(token)
    await desk.sync()
    expect(eventsOf(desk.ledger, uid)[0]!.text).toBe('use [secret: github-token] please')
  })

  it('writes the home folder as ~', async () => {
    const [laptop, desk] = [await box('laptop', everything), await box('desk')]
    laptop.home.write(transcript, lines(claudeSession(sessionName(1), 1, { cwd: `${laptop.home.path}/notes` })))
    await laptop.home.sweep()
    await laptop.sync()
    expect(JSON.stringify(await heldByServer())).not.toContain(laptop.home.path)
    await desk.sync()
    expect(desk.home.sessions()).toMatchObject([{ project: `${desk.home.path}/notes`, projectName: 'notes' }])
  })

  it.runIf(isProof)('sends events of any size and shape', async () => {
    const [laptop, desk] = [await box('laptop', everything), await box('desk')]
    let deep: object = { end: 'x' }
    for (let level = 0; level < 30; level++) deep = { deep }
    const [first, call, ...rest] = claudeSession(sessionName(1), 1, { says: () => '\u20ac\u0000\ud800'.repeat(70_000) })
    const input = { deep, many: Array.from({ length: 40_000 }, (_, index) => `${index} words`), huge: 1e300 }
    const message = { id: 'm', role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'Odd', input }] }
    laptop.home.write(transcript, lines([first!, { ...call, message }, ...rest]))
    await laptop.home.sweep()
    expect(await laptop.sync()).toMatchObject({ refused: 0, failures: [] })
    await desk.sync()
    const [here, there] = [eventsOf(desk.ledger, uid), eventsOf(laptop.ledger, uid)]
    expect(here.map(({ kind }) => kind)).toEqual(there.map(({ kind }) => kind))
    expect(here[0]!.text).toContain('characters cut')
    expect(await laptop.sync()).toMatchObject({ pushed: 0, refused: 0 })
  })

  it('skips sessions without a body', async () => {
    const laptop = await box('laptop', everything)
    laptop.home.write(transcript, lines(claudeSession(sessionName(1), 2)))
    laptop.home.write(transcript.replace('0001', '0002'), lines(claudeSession(sessionName(2), 2)))
    await laptop.home.sweep()
    const [body] = storedBodies(laptop.ledger)
    rmSync(join(laptop.ledger.layout.bodies, body!.file))
    expect(await laptop.sync()).toMatchObject({ failures: [] })
    expect(isSyncDue(laptop.context)).toBe(false)
    expect((await heldByServer()).filter(({ id }) => /:0$/.test(id))).toHaveLength(1)
  })
})

function sentParts({ net }: Box): string[] {
  return net.sent.map(({ id }) => id).filter((id) => /:\d+$/.test(id))
}

const geminiName = '5b6a7c8d-1111-4222-8333-944455556666'

function gemini(said: readonly string[]): string {
  const at = (step: number) => `2026-09-01T10:0${step}:00.000Z`
  const messages = said.map((content, step) => ({
    id: `m${step}`,
    timestamp: at(step),
    type: step % 2 === 0 ? 'user' : 'gemini',
    content,
  }))
  return JSON.stringify({ sessionId: geminiName, startTime: at(0), lastUpdated: at(9), messages })
}

/** A subagent without a folder of its own has the project of its parent there. */
function comparable({
  cwd: _,
  origin: __,
  project: ___,
  projectName: ____,
  ...session
}: ReturnType<typeof contentsOf>['sessions'][number]) {
  return session
}

/** Sessions that belong to a project, or to a session that does. */
function placedIn(home: TestHome): ReturnType<typeof contentsOf> {
  const all = contentsOf(home)
  const isPlaced = (id: string | null): boolean => {
    const session = all.sessions.find((one) => one.id === id)
    return session !== undefined && (session.project !== null || isPlaced(session.parent))
  }
  return {
    sessions: all.sessions.filter(({ id }) => isPlaced(id)),
    events: Object.fromEntries(Object.entries(all.events).filter(([id]) => isPlaced(id))),
    usage: all.usage.filter((row) => isPlaced(String((row as { uid?: unknown }).uid))),
  }
}

/** Keys of this name do not get through. */
function withoutPrototypes<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (key, inner) => (key === '__proto__' ? undefined : inner)) as T
}
