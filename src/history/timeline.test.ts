import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claudeSession, type Place, place, sessionName } from '../../test/program.ts'
import { type App, createApp } from '../app.ts'
import { fixedClock } from '../core/clock.ts'
import { parseConfig } from '../core/config/config.ts'
import { forget, remember } from '../learn/change.ts'
import { retain } from '../retain/retain.ts'
import type { Ledger } from '../store/ledger.ts'
import { listMemories } from '../store/memories/memories.ts'
import { saveCommits } from '../store/sessions/commits.ts'
import { sweep } from '../sweep.ts'
import { type TimelineOptions, timeline } from './timeline.ts'

const said = "No, that's wrong. Remember that we never deploy on Fridays, always on Tuesdays."
const uid = (index: number) => `claude-code:${sessionName(index)}`

let at: Place
let app: App
let ledger: Ledger
beforeEach(async () => {
  const says = (turn: number) => (turn === 1 ? said : undefined)
  const shifted = (records: object[], days: number) =>
    records.map((record) => {
      const { timestamp } = record as { timestamp: string }
      return { ...record, timestamp: new Date(Date.parse(timestamp) + days * 86_400_000).toISOString() }
    })
  const file = (index: number) => join('.claude/projects/-home-dev-app', `${sessionName(index)}.jsonl`)
  at = place({
    [file(1)]: claudeSession(sessionName(1), 3, { says }),
    [file(2)]: shifted(claudeSession(sessionName(2), 2), 1),
    [file(3)]: shifted(claudeSession(sessionName(3), 2, { cwd: '/home/dev/other' }), 0),
    [file(4)]: shifted(claudeSession(sessionName(4), 2), 30),
  })
  mkdirSync(at.store)
  writeFileSync(join(at.store, 'config.toml'), '[display]\nzone = "UTC"\n')
  app = createApp({
    machine: { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux', name: 'desk' },
    clock: fixedClock('2026-10-02T00:00:00Z'),
  })
  await sweep(app)
  ledger = app.ledger()
})
afterEach(() => {
  ledger.close()
  at.remove()
})

function tell(asked: string, options: Partial<TimelineOptions> & { project?: string } = {}) {
  const { project = null, ...rest } = options
  const context = { ledger, clock: app.clock, zone: app.zone, project }
  return timeline(context, asked, { aroundMs: 86_400_000, isWide: false, limit: 40, ...rest })
}

const short = (asked: string, options?: Parameters<typeof tell>[1]) =>
  tell(asked, options).happenings.map(
    ({ at, kind, what, isAnchor }) => `${at.slice(5, 16)} ${kind} ${what}${isAnchor ? ' <' : ''}`,
  )

describe('timeline around a session', () => {
  it('lists entries of the project in order of time', () => {
    expect(short(uid(1))).toEqual([
      '09-01T00:00 journal ',
      '09-01T10:00 session began <',
      '09-01T10:01 turning point correction',
      '09-01T10:01 memory user said',
      '09-01T10:02 session ended: success',
      '09-02T00:00 journal ',
      '09-02T10:00 session began',
      '09-02T10:01 session ended: success',
    ])
  })

  it('has an id for the next command in every entry', () => {
    const { happenings } = tell(sessionName(1), { aroundMs: 0 })
    const [memory] = listMemories(ledger)
    expect(happenings.map(({ id }) => id)).toEqual(['2026-09-01', uid(1), `${uid(1)}#4`, memory!.id, uid(1)])
    expect(happenings[2]).toMatchObject({ agent: 'claude-code', project: '/home/dev/app', text: said })
  })

  it('marks the event and its speaker', () => {
    expect(tell(`${sessionName(1)}#4`, { aroundMs: 30_000 }).happenings.filter(({ isAnchor }) => isAnchor)).toEqual([
      {
        at: '2026-09-01T10:01:00.000Z',
        kind: 'event',
        what: 'you said',
        id: `${uid(1)}#4`,
        agent: 'claude-code',
        project: '/home/dev/app',
        text: said,
        isAnchor: true,
      },
    ])
    const marked = (seq: number) => tell(`${sessionName(1)}#${seq}`).happenings.find(({ isAnchor }) => isAnchor)
    expect(marked(1)).toMatchObject({ what: 'agent ran', text: 'Bash npm test' })
    expect(marked(2)).toMatchObject({ what: 'tool printed', text: '3 passed, 0 failed in turn 0' })
    expect(marked(3)).toMatchObject({ what: 'agent said', text: 'answer 0: it works' })
  })

  it('shows a session whose text was deleted', () => {
    const late = fixedClock('2028-01-01T00:00:00Z')
    const config = parseConfig('[retain]\nmax_age_days = 45', 'test')
    retain({ ledger, clock: late, config, isConfirmed: true, digestRemaining: () => {} })
    expect(short(uid(1), { aroundMs: 0 })).toContain('09-01T10:01 turning point correction')
    const event = tell(`${sessionName(1)}#4`).happenings.find(({ isAnchor }) => isAnchor)
    expect(event).toMatchObject({ text: 'its text was deleted', at: '2026-09-01T10:01:00.000Z' })
  })
})

describe('timeline around a memory', () => {
  it('shows when it was said, repeated and superseded', () => {
    const [old] = listMemories(ledger)
    const origin = 'desk'
    const on = (day: string) => ({ ledger, origin, clock: fixedClock(`${day}T12:00:00Z`) })
    const text = 'We deploy on Mondays now'
    const { kept } = remember(on('2026-09-20'), { text, project: '/home/dev/app', supersedes: old!.id })
    expect(short(old!.id, { aroundMs: 60_000 }).filter((line) => line.endsWith('<'))).toEqual([
      '09-01T10:01 memory user said <',
      `09-20T12:00 memory superseded by ${kept[0]!.id} <`,
    ])
    expect(short(kept[0]!.id)).toEqual([
      `09-20T12:00 memory user said <`,
      `09-20T12:00 memory superseded by ${kept[0]!.id}`,
    ])
  })

  it('does not show the text of a forgotten memory', () => {
    const [memory] = listMemories(ledger)
    forget({ ledger, origin: 'desk', clock: fixedClock('2026-09-01T12:00:00Z') }, memory!.id)
    const about = tell('2026-09-01').happenings.filter(({ kind }) => kind === 'memory')
    expect(about).toMatchObject([{ what: 'forgotten', id: memory!.id, text: '' }])
  })
})

describe('timeline around a time', () => {
  it.each([
    ['a day, in every project', '2026-09-01', {}, [uid(1), uid(3)]],
    ['a day, in one', '2026-09-01', { project: '/home/dev/other' }, [uid(3)]],
    ['a day and what is around it', '2026-09-01', { isWide: true }, [uid(1), uid(3), uid(2)]],
    ['a minute', '2026-09-02 10:00', { aroundMs: 3_600_000 }, [uid(2)]],
    ['yesterday', 'yesterday', {}, [uid(4)]],
    ['nothing: the last that happened', '', {}, [uid(4)]],
    ['since a time', '', { sinceMs: Date.parse('2026-09-02T00:00:00Z') }, [uid(2), uid(4)]],
  ])('%s', (_, asked, options, expected) => {
    const began = tell(asked, options).happenings.filter(({ what }) => what === 'began')
    expect([...new Set(began.map(({ id }) => id))].sort()).toEqual([...expected].sort())
  })

  it('shows commits at their time', () => {
    const commit = {
      hash: 'c0ffee'.padEnd(40, '0'),
      at: '2026-09-01T10:01:30.000Z',
      message: 'Fix it\n\nWhy',
      files: [],
    }
    ledger.transaction(() => saveCommits(ledger, '/home/dev/app', [commit]))
    expect(short(uid(1), { aroundMs: 0 })).toEqual([
      '09-01T00:00 journal ',
      '09-01T10:00 session began <',
      '09-01T10:01 turning point correction',
      '09-01T10:01 memory user said',
      '09-01T10:01 commit ',
      '09-01T10:02 session ended: success',
    ])
    expect(tell('c0ffee00', { aroundMs: 0 }).happenings.find(({ isAnchor }) => isAnchor)).toMatchObject({
      kind: 'commit',
      text: 'Fix it',
      id: commit.hash,
    })
  })
})

describe('timeline around a query', () => {
  it('marks the best result', () => {
    const { happenings } = tell('deploy Fridays Tuesdays')
    expect(happenings.find(({ isAnchor }) => isAnchor)?.text).toContain('never deploy on Fridays')
  })

  it.each([
    ['nothing like it', 'zeppelin', 'Nothing found for "zeppelin"'],
    ['no such memory', 'm-zzzz', 'm-zzzz'],
    ['no such event', `${sessionName(1)}#999`, 'has no event 999'],
    ['more than one session', '1111-4111', 'matches 4 sessions'],
    ['no such day', '2026-02-31', 'Not a date'],
  ])('reports %s', (_, asked, message) => expect(() => tell(asked)).toThrow(message))
})

it('timeline shows the nearest entries up to the limit', () => {
  const { happenings, left } = tell(`${sessionName(1)}#4`, { limit: 2 })
  expect(happenings.map(({ kind }) => kind)).toEqual(['event', 'memory'])
  expect(left).toBeGreaterThan(0)
})
