import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepCandidates } from '../../../test/keep-candidates.ts'
import { claudeSession, type Place, place, recollect, sessionName } from '../../../test/program.ts'

let at: Place
beforeAll(() => {
  const says = (turn: number) => (turn === 1 ? "No, that's wrong: we never deploy on Fridays." : undefined)
  at = place({ [`.claude/projects/-home-dev-app/${sessionName(1)}.jsonl`]: claudeSession(sessionName(1), 2, { says }) })
  recollect(at, 'sweep')
  keepCandidates(at)
  recollect(at, 'sweep')
})
afterAll(() => at.remove())

describe('timeline', () => {
  it('prints one line per entry with the id for recollect show', () => {
    const short = sessionName(1).slice(0, 13)
    const [memory] = recollect(at, 'memories', '--json').json()
    expect(recollect({ ...at, env: { COLUMNS: '120' } }, 'timeline', '2026-09-01').out).toBe(
      `2026-09-01
         journal  1 entry  2026-09-01
  10:00  session began  question 0 of ${sessionName(1)}  claude-code app  ${short}
  10:01  correction  No, that's wrong: we never deploy on Fridays.  claude-code app  ${short}#4
  10:01  memory user said  correction: ${memory.text}  app  ${memory.id}
  10:01  session ended: success  question 0 of ${sessionName(1)}  claude-code app  ${short}
`,
    )
  })

  it('leaves out agent and project, then shortens the text, to fit the width', () => {
    const { out } = recollect(at, 'timeline', '2026-09-01')
    const short = sessionName(1).slice(0, 13)
    expect(out).toContain(`  10:01  correction  No, that's wrong: we never deploy on…  ${short}#4\n`)
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it('marks the requested event', () => {
    expect(recollect(at, 'timeline', `${sessionName(1)}#4`, '--around', '1min').out).toContain(
      '► 10:01  event you said',
    )
  })

  it('prints ids that recollect show accepts', () => {
    const { happenings } = recollect(at, 'timeline', '--json').json()
    const ids = happenings
      .filter(({ kind }: { kind: string }) => kind !== 'journal')
      .map(({ id }: { id: string }) => id)
    expect(ids.length).toBeGreaterThan(3)
    for (const id of ids) expect(recollect(at, 'show', id)).toMatchObject({ status: 0 })
  })

  it.each([
    ['nothing on that day', ['2020-01-01'], 1, 'Nothing happened'],
    ['nothing like it', ['zeppelin'], 1, 'Nothing found for "zeppelin"'],
    ['no span', ['--around', 'long'], 2, '--around 30min'],
    ['no number', ['--limit', 'x'], 2, '--limit 20'],
  ])('%s', (_, args, status, words) =>
    expect(recollect(at, 'timeline', ...args)).toMatchObject({ status, out: '', err: expect.stringContaining(words) }),
  )
})

describe('show', () => {
  it('shows an event with the events around it', () => {
    const { out } = recollect(at, 'show', `${sessionName(1)}#4`)
    expect(out).toContain('event 4 of 8')
    expect(out).toMatch(/answer 0: it works[\s\S]*► 4\s[\s\S]*never deploy on Fridays/)
    const own = recollect(at, 'show', `${sessionName(1)}#${sessionName(1)}-1-0`, '--json').json()
    expect(own.events.map(({ seq }: { seq: number }) => seq)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(own.session.id).toBe(`claude-code:${sessionName(1)}`)
  })

  it('shows a memory like recollect memories', () => {
    const [{ id }] = recollect(at, 'memories', '--json').json()
    expect(recollect(at, 'show', id)).toEqual({ ...recollect(at, 'memories', id), json: expect.any(Function) })
    expect(recollect(at, 'show', id, '--json').json()).toEqual(recollect(at, 'memories', id, '--json').json())
  })

  it.each([
    ['no such event', `${sessionName(1)}#99`, 'has no event 99'],
    ['no such session', 'nobody#1', 'No session "nobody"'],
    ['no such commit', 'deadbeef', 'No session "deadbeef"'],
  ])('%s', (_, id, words) =>
    expect(recollect(at, 'show', id)).toMatchObject({ status: 1, err: expect.stringContaining(words) }),
  )
})
