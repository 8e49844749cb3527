import { describe, expect, it } from 'vitest'
import type { Digest } from '../digest/digest.ts'
import type { SessionView } from '../store/sessions/sessions.ts'
import { chooseSessions, type RecentSession } from './recent-sessions.ts'

interface Sketch {
  name: string
  day: number
  prompts?: number
  toolCalls?: number
  files?: string[]
  commits?: string[]
  outcome?: Digest['outcome']
  kind?: Digest['kind']
  isOpen?: boolean
}

/** What the choice depends on, of a session in September 2026. */
function session({ name, day, prompts = 5, toolCalls = 40, files = ['src/tide.ts'], ...more }: Sketch): RecentSession {
  const { commits = [], outcome = 'unknown', kind = 'work', isOpen = false } = more
  return {
    session: {
      id: `codex:${name}`,
      ended: `2026-09-${String(day).padStart(2, '0')}T10:00:00.000Z`,
      counts: { events: 0, prompts, toolCalls, toolErrors: 0 },
    } as SessionView,
    digest: { commits, outcome, kind } as unknown as Digest,
    signals: { test: null } as RecentSession['signals'],
    files: files.map((path) => ({ path, times: 1, isUncommitted: false })),
    isOpen,
  }
}

const small = { prompts: 1, toolCalls: 2, files: [] }
const names = (recent: RecentSession[]) => {
  const { last, others } = chooseSessions(recent)!
  return { last: last.session.id.slice(6), others: others.map((one) => one.session.id.slice(6)) }
}

describe('chooseSessions', () => {
  it('leaves out small tries beside other work', () =>
    expect(
      names([
        session({ name: 'try', day: 9, ...small }),
        session({ name: 'work', day: 8 }),
        session({ name: 'stopped', day: 7, ...small, outcome: 'abandoned', isOpen: true }),
      ]),
    ).toEqual({ last: 'work', others: [] }))

  it('tells them where there is nothing else', () =>
    expect(names([session({ name: 'try', day: 9, ...small })]).last).toBe('try'))

  it('tells a question that was asked after the last work in a line', () =>
    expect(
      names([session({ name: 'question', day: 9, ...small, kind: 'talk' }), session({ name: 'work', day: 8 })]),
    ).toEqual({ last: 'work', others: ['question'] }))

  it('prefers heavy and recent work, in order of time', () => {
    const light = [7, 6, 5, 4].map((day) => session({ name: `light ${day}`, day, prompts: 1, toolCalls: 20 }))
    const heavy = session({ name: 'heavy', day: 3, prompts: 36, toolCalls: 350 })
    const old = session({ name: 'old', day: 1, prompts: 2, toolCalls: 20 })
    expect(names([session({ name: 'last', day: 8 }), ...light, heavy, old]).others).toEqual([
      'light 7',
      'light 6',
      'light 5',
      'light 4',
      'heavy',
    ])
  })

  it('leaves out small unfinished work that was taken up later', () => {
    const unfinished = { prompts: 1, toolCalls: 20, outcome: 'open' as const }
    expect(
      names([
        session({ name: 'last', day: 8 }),
        session({ name: 'open', day: 7, ...unfinished, isOpen: true }),
        session({ name: 'taken up', day: 6, ...unfinished }),
      ]).others,
    ).toEqual(['open'])
  })
})
