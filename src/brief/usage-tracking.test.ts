import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lines, type Place, place, sessionName } from '../../test/program.ts'
import { agents } from '../agents/registry.ts'
import { type App, createApp } from '../app.ts'
import { fixedClock } from '../core/clock.ts'
import { remember, undo } from '../learn/change.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoryById } from '../store/memories/memories.ts'
import { briefContentsAt, memoryShowings, saveBriefContents } from '../store/memories/usage.ts'
import { saveHookEvent } from '../store/sessions/hook-events.ts'
import { projectOfFolder } from '../store/sessions/projects.ts'
import { deleteSession, openSession, resetSession } from '../store/sessions/sessions.ts'
import { sweep } from '../sweep.ts'
import { countUse } from './usage-tracking.ts'

const cwd = '/home/dev/app'
const name = sessionName(1)
const uid = `claude-code:${name}`
const transcript = `.claude/projects/-home-dev-app/${name}.jsonl`
/** The day before the session, and the day of it. */
const [before, startedMs] = [Date.parse('2026-08-31T10:00:00Z'), Date.parse('2026-09-01T10:00:00Z')]

let at: Place
let app: App
let ledger: Ledger
afterEach(() => {
  ledger.close()
  at.remove()
})

type Said = string | { tool: string; input: object }

/** As Claude Code 2.1.219 writes it: what a person asks, then what the agent says and calls. */
function turn(number: number, asked: string, ...answers: Said[]): object[] {
  const record = (step: number, type: string, content: unknown) => ({
    sessionId: name,
    cwd,
    type,
    uuid: `${number}-${step}`,
    version: '2.1.219',
    timestamp: new Date(startedMs + number * 600_000 + step * 1000).toISOString(),
    message: { id: `${number}-${step}`, role: type, model: 'claude-opus-4-6', content },
  })
  return [
    record(0, 'user', asked),
    ...answers.flatMap((answer, index) => {
      if (typeof answer === 'string') return [record(index * 2 + 1, 'assistant', [{ type: 'text', text: answer }])]
      const id = `call-${number}-${index}`
      const call = { type: 'tool_use', id, name: answer.tool, input: answer.input }
      const printed = 'Deploys leave from the harbour on Tuesday, says the tool.'
      const result = { type: 'tool_result', tool_use_id: id, content: printed, is_error: false }
      return [record(index * 2 + 1, 'assistant', [call]), record(index * 2 + 2, 'user', [result])]
    }),
  ]
}

async function opened(...turns: object[][]): Promise<void> {
  at = place({ [transcript]: turns.flat() })
  const machine = { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' as const }
  app = createApp({ machine, clock: fixedClock('2026-09-08T12:00:00Z') })
  await sweep(app, { part: 'capture' })
  ledger = app.ledger()
}

async function grown(...turns: object[][]): Promise<void> {
  appendFileSync(join(at.home, transcript), lines(turns.flat()))
  await sweep(app, { part: 'capture' })
}

function known(text: string): string {
  const { kept } = remember({ ledger, clock: app.clock, origin: 'box' }, { text, project: cwd })
  return kept[0]!.id
}

/** The brief of the project holds these memories, and the session starts. */
function started(memories: string[], more: { detail?: string; agent?: string } = {}): void {
  saveBriefContents(ledger, project(), before, memories)
  const event = { agent: 'claude-code', session: name, event: 'SessionStart', moment: 'start', detail: 'startup' }
  saveHookEvent(ledger, { ...event, ...more, atMs: startedMs })
}

function project(): number {
  expect(projectOfFolder(ledger, cwd)).toBe(cwd)
  return openSession(ledger, uid, 'claude-code', '').project!
}

const count = () => countUse({ ledger, agents })
const countsOf = (id: string) => memoryById(ledger, id)!.counts
const shown = (times: number, used: number) => ({ said: 1, shown: times, used })

describe('countUse: shown memories', () => {
  beforeEach(() => opened(turn(0, 'count the gulls', 'Forty.')))

  it('counts a session that started while the memory was in the brief, once', () => {
    const id = known('Deploys leave from the harbour on Tuesdays')
    started([id])
    expect(count()).toEqual({ shown: 1, used: 0 })
    expect(count()).toEqual({ shown: 0, used: 0 })
    started([id], { detail: 'compact' })
    expect(count()).toEqual({ shown: 0, used: 0 })
    expect(countsOf(id)).toEqual(shown(1, 0))
    expect(memoryShowings(ledger, id)).toEqual([{ session: uid, at: '2026-09-01T10:00:00.000Z', isUsed: false }])
  })

  it.each([
    ['went on', { detail: 'resume' }],
    ['was forked', { detail: 'fork' }],
  ])('does not count a session that %s', (_, more) => {
    started([known('Deploys leave from the harbour on Tuesdays')], more)
    expect(count()).toEqual({ shown: 0, used: 0 })
  })

  it('does not count a session without a start time until it is known', () => {
    const id = known('Deploys leave from the harbour on Tuesdays')
    saveBriefContents(ledger, project(), before, [id])
    expect(count()).toEqual({ shown: 0, used: 0 })
    started([id])
    expect(count()).toEqual({ shown: 1, used: 0 })
  })

  it('uses the brief of that time, not a later one', () => {
    const [old, late] = [known('Deploys leave from the harbour'), known('Gulls are counted at dawn')]
    started([old])
    saveBriefContents(ledger, project(), startedMs + 1, [late])
    expect(count()).toEqual({ shown: 1, used: 0 })
    expect([countsOf(old).shown, countsOf(late).shown]).toEqual([1, 0])
  })

  it('does not count where there was no brief yet', () => {
    const id = known('Deploys leave from the harbour')
    saveBriefContents(ledger, project(), startedMs + 1, [id])
    saveHookEvent(ledger, {
      agent: 'claude-code',
      session: name,
      event: 'SessionStart',
      moment: 'start',
      detail: 'startup',
      atMs: startedMs,
    })
    expect(count()).toEqual({ shown: 0, used: 0 })
  })

  it('creates no version, and undo does not change the count', () => {
    const id = known('Deploys leave from the harbour')
    const context = { ledger, clock: app.clock, origin: 'box' }
    remember(context, { text: 'Deploys leave from the station now', project: cwd, supersedes: id })
    started([id])
    count()
    expect(memoryById(ledger, id)).toMatchObject({ version: 2, counts: shown(1, 0) })
    undo(context)
    expect(memoryById(ledger, id)).toMatchObject({ supersededBy: null, version: 1, counts: shown(1, 0) })
  })

  it('deletes the count with a forgotten session', () => {
    const id = known('Deploys leave from the harbour')
    started([id])
    count()
    deleteSession(ledger, openSession(ledger, uid, 'claude-code', '').id)
    expect(memoryShowings(ledger, id)).toEqual([])
  })
})

describe('countUse: used memories', () => {
  const tuesday = 'Deploys leave from the harbour on Tuesdays'
  const port = 'The staging server listens on port 8443'

  it.each<[string, string, Said[]]>([
    ['its words are said', tuesday, ['It is ready. Since deploys leave on Tuesday, I wait for the harbour.']],
    ['its words stand in two sentences', tuesday, ['A deploy would leave now. It is not Tuesday.']],
    [
      'its value is put to use',
      port,
      [{ tool: 'Bash', input: { command: 'curl -s https://staging-server:8443/health' } }],
    ],
    [
      'it is written into a file',
      tuesday,
      [{ tool: 'Write', input: { file_path: '/a', content: 'on: tuesday # deploys leave' } }],
    ],
    ['what it forbids is left out', 'Never push to the main branch', ['I do not push to main, as agreed.']],
    ['it is in another script', '本番環境へのデプロイは火曜日だけ', ['本番環境へのデプロイは火曜日にします。']],
  ])('counts a use when %s', async (_, text, answers) => {
    await opened(turn(0, 'go on', ...answers))
    const id = known(text)
    started([id])
    expect(count()).toEqual({ shown: 1, used: 1 })
    expect(countsOf(id)).toEqual(shown(1, 1))
  })

  it.each<[string, string, string, Said[]]>([
    ['something else is said', tuesday, 'go on', ['The gulls leave the harbour wall.']],
    ['a tool printed it', tuesday, 'go on', [{ tool: 'Read', input: { file_path: '/notes' } }, 'I have read it.']],
    [
      'the user had said it in the prompt',
      tuesday,
      'Deploys leave the harbour on Tuesday, right?',
      ['Deploys leave on Tuesday.'],
    ],
    [
      'its words are all over a long answer',
      tuesday,
      'go on',
      [`Deploys wait.\n${'More of it.\n'.repeat(9)}Tuesday comes.\n${'And on.\n'.repeat(9)}The harbour.`],
    ],
    ['its value is another', port, 'go on', ['The staging server listens on port 9000.']],
    [
      'what it forbids is done',
      'Never push to the main branch',
      'go on',
      [{ tool: 'Bash', input: { command: 'git push origin main branch' } }],
    ],
    [
      'it is only looked for',
      tuesday,
      'go on',
      [{ tool: 'mcp__recollect__memory_search', input: { query: 'deploys harbour tuesday leave' } }],
    ],
  ])('counts no use when %s', async (_, text, asked, answers) => {
    await opened(turn(0, asked, ...answers))
    const id = known(text)
    started([id])
    expect(count()).toEqual({ shown: 1, used: 0 })
  })

  it('counts a use in later events', async () => {
    await opened(turn(0, 'go on', 'Done.'))
    const id = known(tuesday)
    started([id])
    expect(count()).toEqual({ shown: 1, used: 0 })
    await grown(turn(1, 'release it', 'Deploys leave on Tuesday, so I wait.'))
    expect(count()).toEqual({ shown: 0, used: 1 })
    await grown(turn(2, 'really?', 'Deploys leave on Tuesday.'))
    expect(count()).toEqual({ shown: 0, used: 0 })
    expect(countsOf(id)).toEqual(shown(1, 1))
    expect(memoryShowings(ledger, id)).toMatchObject([{ isUsed: true }])
  })

  it('counts once in a rewritten transcript', async () => {
    await opened(turn(0, 'go on', 'Deploys leave on Tuesday.'))
    const id = known(tuesday)
    started([id])
    count()
    resetSession(ledger, openSession(ledger, uid, 'claude-code', '').id)
    expect(count()).toEqual({ shown: 0, used: 0 })
    expect(countsOf(id)).toEqual(shown(1, 1))
  })

  it('counts a request by id, whether or not the brief had the memory', async () => {
    await opened(turn(0, 'go on', 'Done.'))
    const [held, found] = [known(tuesday), known(port)]
    started([held])
    count()
    await grown(
      turn(1, 'look', { tool: 'mcp__recollect__memory_get', input: { id: found } }),
      turn(2, 'and?', { tool: 'Bash', input: { command: `recollect memories ${held} m-aaaaaaaaaa` } }),
    )
    expect(count()).toEqual({ shown: 0, used: 2 })
    expect([countsOf(held), countsOf(found)]).toEqual([shown(1, 1), shown(1, 1)])
  })

  it('counts a request by id in a session without a brief', async () => {
    await opened(turn(0, 'go on', 'Done.'))
    const id = known(tuesday)
    await grown(turn(1, 'look', { tool: 'mcp__recollect__memory_get', input: { id } }))
    expect(count()).toEqual({ shown: 0, used: 1 })
    expect(countsOf(id)).toEqual(shown(1, 1))
  })
})

describe('briefContentsAt', () => {
  beforeEach(() => opened(turn(0, 'count the gulls', 'Forty.')))
  const day = 86_400_000

  it('keeps contents for a day', () => {
    for (const [index, memories] of [['m-a'], ['m-b'], ['m-c'], ['m-d']].entries())
      saveBriefContents(ledger, project(), before + index * day, memories)
    const held = [-1, 0, 1, 2, 3, 4].map((days) => briefContentsAt(ledger, project(), before + days * day + 1000))
    expect(held).toEqual([[], [], [], ['m-c'], ['m-d'], ['m-d']])
  })

  it('is separate per project', () => {
    saveBriefContents(ledger, project(), before, ['m-a'])
    expect(briefContentsAt(ledger, project() + 1, startedMs)).toEqual([])
  })
})

describe('stale briefs', () => {
  const other = sessionName(2)
  beforeEach(async () => {
    await opened(turn(0, 'count the gulls', 'Forty.'))
    const elsewhere = turn(0, 'count the crabs', 'Ten.').map((record, index) => ({
      ...record,
      sessionId: other,
      uuid: `${other}-${index}`,
      cwd: '/home/dev/reef',
    }))
    appendFileSync(join(at.home, transcript.replace(name, other)), lines(elsewhere))
    expect(await prepared()).toBe(2)
  })
  const prepared = async () => {
    const done = await sweep(app)
    return done.kind === 'done' ? done.report.briefs : 'busy'
  }
  const context = () => ({ ledger, clock: app.clock, origin: 'box' })

  it('are rewritten when a memory of the project changes', async () => {
    const id = known('Deploys leave from the harbour')
    expect(await prepared()).toBe(1)
    expect(briefContentsAt(ledger, project(), app.clock.nowMs())).toEqual([id])
    undo(context())
    expect(await prepared()).toBe(1)
    expect(briefContentsAt(ledger, project(), app.clock.nowMs())).toEqual([])
    expect(await prepared()).toBe(0)
  })

  it('are all rewritten when a global memory changes', async () => {
    remember(context(), { text: 'Answer in English, whatever is asked', project: null })
    expect(await prepared()).toBe(2)
  })
})
