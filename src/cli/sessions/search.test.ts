import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claudeSession, type Place, place, recollect, sessionName } from '../../../test/program.ts'
import { layoutOf } from '../../core/paths.ts'
import { openLedger } from '../../store/ledger.ts'
import { changeMemories } from '../../store/memories/changes.ts'
import { memoryById } from '../../store/memories/memories.ts'

let at: Place
beforeAll(() => {
  at = place({ [`.claude/projects/-home-dev-app/${sessionName(1)}.jsonl`]: claudeSession(sessionName(1), 3) })
  recollect(at, 'sweep')
})
afterAll(() => at.remove())

describe('search', () => {
  it('--json has every field of the contract', () => {
    const run = recollect(at, 'search', 'which', 'question', '--json', '--limit', '1', '--since', '2026-09-01')
    expect(run.status).toBe(0)
    expect(run.json()).toEqual({
      answered: true,
      results: [
        expect.objectContaining({
          kind: 'exchange',
          id: `claude-code:${sessionName(1)}#4`,
          session: `claude-code:${sessionName(1)}`,
          event: `${sessionName(1)}-1-0`,
          project: '/home/dev/app',
          score: expect.any(Number),
          ts: '2026-09-01T10:01:00.000Z',
          snippet: `question 1 of ${sessionName(1)}`,
        }),
      ],
      ms: expect.any(Number),
    })
  })

  it('prints a heading for each session, passages with ids, speakers and reasons, and how to resume it', () => {
    const { out, err } = recollect(at, 'search', 'question', '"of 00000001"')
    const short = sessionName(1).slice(0, 13)
    expect(out).toBe(`2026-09-01 10:01  claude-code ${short}  app  question 0 of…
  ${short}#4  you; matches of 00000001, question
      question 1 of ${sessionName(1)}
  ${short}#0  you; matches of 00000001, question
  ${short}#8  you; matches of 00000001, question
      question 2 of ${sessionName(1)}
  Resume: claude --resume ${sessionName(1)}
`)
    expect(err).toContain(`recollect show ${short}#4`)
    expect(recollect(at, 'show', `${short}#4`).out).toContain('question 1 of')
  })

  it('--json has the id for show, the reasons and the resume command', () => {
    const [result] = recollect(at, 'search', '"answer 1"', '--json').json().results
    expect(result).toMatchObject({
      seq: 7,
      ref: `${sessionName(1).slice(0, 13)}#7`,
      why: ['answer 1'],
      resume: `claude --resume ${sessionName(1)}`,
    })
  })

  it('SPEC C.22: shows the age and the doubt of a memory', () => {
    recollect(at, 'remember', 'The beacon of the harbour is configured in beacon.ts', '--global')
    const [{ id }] = recollect(at, 'memories', '--json').json()
    const ledger = openLedger(layoutOf(at.store))
    try {
      const memory = { ...memoryById(ledger, id)!, confirmedAt: '2026-09-01T10:00:00.000Z', doubt: 'beacon.ts is gone' }
      const change = { at: memory.confirmedAt, kind: 'consolidated' as const, about: 'a test' }
      ledger.transaction(() => changeMemories(ledger, change, [memory]))
    } finally {
      ledger.close()
    }
    const { out } = recollect(at, 'search', 'beacon', 'harbour')
    expect(out).toMatch(/memory m-\w+ {2}everywhere\n {2}user said, \d+ \w+ ago, doubtful: beacon\.ts is gone; /)
    expect(recollect(at, 'search', 'beacon', '--json').json().results[0]).toMatchObject({ doubt: 'beacon.ts is gone' })
  })

  it('says so when the nearest passages do not answer', () => {
    const words = ['which', 'question', 'did', 'the', 'zeppelin', 'hangar', 'of', 'Lakehurst', 'raise']
    expect(recollect(at, 'search', ...words).out).toMatch(/^No good match. The nearest:\n\n2026-09-01/)
    expect(recollect(at, 'search', ...words, '--json').json()).toMatchObject({ answered: false })
    expect(recollect(at, 'recall', ...words, '--all', '--json')).toMatchObject({ status: 1 })
    expect(recollect(at, 'recall', ...words, '--all', '--json').json()).toMatchObject({
      text: expect.stringMatching(/^Nearest, not an answer:\n\n\[2026-09-01/),
      answered: false,
    })
  })

  it('highlights the words at a terminal', () => {
    const { out } = recollect({ ...at, env: { FORCE_COLOR: '1' } }, 'search', '"answer 1"')
    expect(out).toContain('\u001b[33manswer\u001b[0m')
  })

  it('excludes results with -word', () => {
    expect(recollect(at, 'search', 'answer', '-works').status).toBe(1)
    expect(recollect(at, 'search', 'answer', '-fails').status).toBe(0)
  })

  it('prints a hint and exits with 1 when nothing is found', () => {
    const run = recollect(at, 'search', 'zeppelin')
    expect(run).toMatchObject({ status: 1, out: '', err: expect.stringContaining('Try other words') })
    const json = recollect(at, 'search', 'zeppelin', '--json')
    expect(json.status).toBe(1)
    expect(json.json().results).toEqual([])
  })

  it.each([
    ['a mistyped flag', ['answer', '--projct', 'app'], 'Did you mean --project?'],
    ['a flag to look for', ['--max-warnings'], 'recollect search max-warnings'],
    ['no words', ['?!'], 'Missing words to search for'],
  ])('%s: prints what to type', (_, args, hint) => {
    expect(recollect(at, 'search', ...args)).toMatchObject({ status: 2, err: expect.stringContaining(hint) })
  })

  it('suggests a known project when --project is unknown', () => {
    const hint = expect.stringContaining('Did you mean app?')
    expect(recollect(at, 'search', 'answer', '--project', 'ap')).toMatchObject({ status: 1, err: hint })
  })

  it('says to run recollect sweep before the first sweep', () => {
    const empty = place()
    expect(recollect(empty, 'search', 'answer')).toMatchObject({
      status: 1,
      err: expect.stringContaining('recollect sweep'),
    })
    empty.remove()
  })
})
