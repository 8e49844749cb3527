// Whether a practice helped, from transcripts to the verdict: two agents' worth of history in one project, a pattern that is
// detected and approved, and sessions after it was published.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { layoutOf } from '../src/core/paths.ts'
import { openLedger } from '../src/store/ledger.ts'
import { savePublished } from '../src/store/published.ts'
import { lines, type Place, place, recollect } from './program.ts'

const dayMs = 86_400_000
const now = Date.now()
const each = 30
/** Two sessions a day: fifteen days without the practice, and fifteen with it. */
const publishedAt = now - 15.5 * dayMs

let at: Place
let practice: string
beforeAll(() => {
  at = place()
  for (let number = 0; number < each; number++) {
    const ago = 31 - number / 2
    // What was published is about reading before editing; nothing is done about the mistyped command.
    write('shop', number, ago, { isUnread: number % 3 !== 0, isMistyped: number % 2 === 0 })
    write('site', number, ago, { isUnread: number % 3 !== 0, isMistyped: false })
  }
  expect(recollect(at, 'sweep').status).toBe(0)
  const detected = recollect(at, 'patterns', 'detect', '--json').json()
  practice = detected.find(({ type }: { type: string }) => type === 'unread edit').id
  expect(recollect(at, 'patterns', 'review', practice, '--approve', '--json').status).toBe(0)
  const ledger = openLedger(layoutOf(at.store))
  savePublished(
    ledger,
    '/home/dev/shop/CLAUDE.md',
    [{ practice, version: '1.0.0', agent: 'claude-code', project: '/home/dev/shop' }],
    { atMs: publishedAt, folders: [] },
  )
  ledger.close()
  for (let number = 0; number < each; number++) {
    const ago = 15.4 - number / 2
    write('shop', each + number, ago, { isUnread: number % 10 === 0, isMistyped: number % 2 === 0 })
    write('site', each + number, ago, { isUnread: number % 3 !== 0, isMistyped: false })
  }
  expect(recollect(at, 'sweep').status).toBe(0)
})
afterAll(() => at.remove())

describe('patterns measure', () => {
  it('finds that a practice helps, where it was published', () => {
    const { practices, baseline, proposedForRetirement } = recollect(at, 'patterns', 'measure', '--json').json()
    expect(practices).toMatchObject([
      {
        id: practice,
        kind: 'measured',
        verdict: 'helps',
        before: { sessions: each },
        after: { sessions: each },
        change: { before: 20 / 30, after: 3 / 30 },
      },
    ])
    expect(practices[0].change.interval[1]).toBeLessThan(-0.3)
    expect(practices[0].others.find(({ metric }: { metric: string }) => metric === 'retries').verdict).toBe(
      'no clear change',
    )
    expect(baseline.all.sessions).toBe(4 * each)
    expect(baseline.groups.map(({ project, sessions }: { project: string; sessions: number }) => [project, sessions])).toEqual([
      ['/home/dev/shop', 2 * each],
      ['/home/dev/site', 2 * each],
    ])
    expect(proposedForRetirement).toEqual([])
  })

  it('says the same every time', () => {
    const once = () => recollect(at, 'patterns', 'measure', '--json').out
    expect(once()).toBe(once())
  })

  it('tells people how sure it is', () => {
    const { out, err, status } = recollect(at, 'patterns', 'measure', '--practice', practice.slice(0, 6))
    expect(status).toBe(0)
    expect(out).toContain('helps')
    expect(out).toContain('It occurs in 67 % of sessions before, 10 % after: −57 points')
    expect(out).toContain('before: 30 sessions')
    expect(err).toContain('Fisher')
  })

  it('has nothing to say of a project where nobody was told', () => {
    expect(recollect(at, 'patterns', 'measure', '--project', 'site', '--json').json().practices).toMatchObject([
      { verdict: 'too early', change: null, before: { sessions: 0 }, after: { sessions: 0 } },
    ])
  })

  it('keeps how work goes, and tells it the next time', () => {
    expect(recollect(at, 'patterns', 'measure', '--json').json().saved).toBeNull()
    expect(recollect(at, 'patterns', 'measure', '--save').status).toBe(0)
    expect(recollect(at, 'patterns', 'measure', '--json').json().saved).toMatchObject({ all: { sessions: 4 * each } })
    writeFileSync(file('baselines.jsonl'), readFileSync(file('baselines.jsonl'), 'utf8').slice(0, -9))
    expect(recollect(at, 'patterns', 'measure', '--save', '--json').json().saved).toBeNull()
    expect(recollect(at, 'patterns', 'measure').out).toContain('as kept on')
  })

  it('proposes what makes things worse for retirement, and leaves it to a person', () => {
    // As if it had been published the other way round: the later sessions are the ones without it.
    const ledger = openLedger(layoutOf(at.store))
    const standing = { practice, version: '1.0.0', agent: 'claude-code', project: '/home/dev/shop' }
    savePublished(ledger, '/home/dev/shop/CLAUDE.md', [], { atMs: publishedAt, folders: [] })
    savePublished(ledger, '/home/dev/site/CLAUDE.md', [{ ...standing, project: '/home/dev/site' }], {
      atMs: publishedAt,
      folders: [],
    })
    ledger.close()
    write('site', 90, 14, { isUnread: true, isMistyped: false })
    expect(recollect(at, 'sweep').status).toBe(0)
    const { practices } = recollect(at, 'patterns', 'measure', '--json').json()
    expect(practices).toMatchObject([{ verdict: 'too early', status: 'approved' }])
  })

  it.each([
    ['an unknown practice', ['--practice', 'p-nothing'], 1],
    ['an unknown project', ['--project', 'nowhere'], 1],
    ['an unknown option', ['--nothing'], 2],
  ])('%s', (_, args, status) => {
    expect(recollect(at, 'patterns', 'measure', ...args).status).toBe(status)
  })

  it('says no where nothing was captured', () => {
    const empty = place()
    expect(recollect(empty, 'patterns', 'measure').status).toBe(1)
    expect(recollect(empty, 'retro').status).toBe(1)
    empty.remove()
  })
})

function file(name: string): string {
  return join(at.store, name)
}

interface Trouble {
  isUnread: boolean
  isMistyped: boolean
}

/** A session with a look, an edit that may fail, and a test run. */
function write(project: string, number: number, daysAgo: number, { isUnread, isMistyped }: Trouble): void {
  const session = `${number.toString(16).padStart(8, '0')}-${project === 'shop' ? '1111' : '2222'}-4111-8111-111111111111`
  let step = 0
  const record = (type: 'user' | 'assistant', content: unknown, more: object = {}) => ({
    type,
    uuid: `${session}-${step}`,
    timestamp: new Date(now - daysAgo * dayMs + step++ * 1000).toISOString(),
    sessionId: session,
    cwd: `/home/dev/${project}`,
    version: '2.1.219',
    message: {
      role: type,
      content,
      ...(type === 'assistant' && {
        id: `msg-${session}-${step}`,
        model: 'claude-opus-4-6',
        usage: { input_tokens: 1000 + 37 * (number % 7), output_tokens: 50 },
      }),
    },
    ...more,
  })
  const call = (name: string, input: object, result: string, isError = false) => {
    const id = `call-${session}-${step}`
    return [
      record('assistant', [{ type: 'tool_use', id, name, input }]),
      record('user', [{ type: 'tool_result', tool_use_id: id, content: result, ...(isError && { is_error: true }) }], {
        toolUseResult: isError ? `Error: ${result}` : { stdout: result, stderr: '', interrupted: false },
      }),
    ]
  }
  const edit = { file_path: `/home/dev/${project}/src/cart.ts`, old_string: 'a', new_string: 'b' }
  const notRead = 'File has not been read yet. Read it first before writing to it.'
  const records = [
    record('user', `Please make the ${project} cart faster, part ${number}`),
    ...call('Bash', { command: 'git status' }, 'nothing to commit'),
    ...(isUnread ? call('Edit', edit, `<tool_use_error>${notRead}</tool_use_error>`, true) : []),
    ...(isMistyped ? call('Bash', { command: 'npm tset' }, 'Exit code 1\nnpm error Unknown command: "tset"', true) : []),
    ...call('Read', { file_path: edit.file_path }, 'a'),
    ...call('Bash', { command: 'npm test' }, '3 passed, 0 failed'),
    record('assistant', [{ type: 'text', text: `The ${project} cart is faster.` }]),
  ]
  const path = join(at.home, `.claude/projects/-home-dev-${project}/${session}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines(records))
}
