// Whether a practice helped, from transcripts to the verdict: two projects, two patterns that are
// detected and approved, and sessions after each was published in one of the projects.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { layoutOf } from '../src/core/paths.ts'
import { openLedger } from '../src/store/ledger.ts'
import { savePublications } from '../src/store/patterns/practices.ts'
import { lines, type Place, place, recollect } from './program.ts'

const dayMs = 86_400_000
const now = Date.now()
const each = 30
/** Two sessions a day: fifteen days without the practice, and fifteen with it. */
const publishedAt = now - 15.5 * dayMs

let at: Place
/** About reading before editing, in the shop: after it that is rare. About a mistyped command, on the site: after it that begins. */
let reading: string
let typing: string
beforeAll(() => {
  at = place()
  for (let number = 0; number < each; number++) {
    const ago = 31 - number / 2
    write('shop', number, ago, { isUnread: number % 3 !== 0, isMistyped: number % 2 === 0 })
    write('site', number, ago, { isUnread: number % 3 !== 0, isMistyped: false })
  }
  expect(recollect(at, 'sweep').status).toBe(0)
  reading = approved('unread edit')
  typing = approved('recurring error')
  publish('shop', reading)
  publish('site', typing)
  for (let number = 0; number < each; number++) {
    const ago = 15.4 - number / 2
    write('shop', each + number, ago, { isUnread: number % 10 === 0, isMistyped: number % 2 === 0 })
    write('site', each + number, ago, { isUnread: number % 3 !== 0, isMistyped: number % 3 !== 0 })
  }
  expect(recollect(at, 'sweep').status).toBe(0)
})
afterAll(() => at.remove())

describe('patterns measure', () => {
  it('finds which practice helps and which one hurts, where they were published', () => {
    const { practices, baseline, proposedForRetirement } = recollect(at, 'patterns', 'measure', '--json').json()
    expect(practices.find(({ id }: { id: string }) => id === reading)).toMatchObject({
      kind: 'measured',
      verdict: 'helps',
      before: { sessions: each },
      after: { sessions: each },
      change: { before: 20 / 30, after: 3 / 30 },
    })
    expect(practices.find(({ id }: { id: string }) => id === typing)).toMatchObject({
      verdict: 'hurts',
      status: 'approved',
      change: { before: 0, after: 20 / 30 },
    })
    expect(proposedForRetirement).toEqual([typing])
    const groups = baseline.groups.map(({ project, agent, sessions }: Record<string, unknown>) => [
      project,
      agent,
      sessions,
    ])
    expect(baseline.all.sessions).toBe(4 * each)
    expect(groups).toEqual([
      ['/home/dev/shop', 'claude-code', 2 * each],
      ['/home/dev/site', 'claude-code', 2 * each],
    ])
  })

  it('is deterministic', () => {
    const once = () => recollect(at, 'patterns', 'measure', '--json').out
    expect(once()).toBe(once())
  })

  it('prints intervals and advice', () => {
    const { out, err, status } = recollect(at, 'patterns', 'measure')
    expect(status).toBe(0)
    expect(unwrapped(out)).toContain(
      'It occurs in 67 % of sessions before, 10 % after: −57 points, 95 % interval −72 to −33',
    )
    expect(out).toContain('before: 30 sessions')
    expect(out).toContain(`recollect patterns retire ${typing}`)
    expect(err).toContain('Fisher')
  })

  it('reports nothing for a project without publications', () => {
    const args = ['--project', 'site', '--practice', reading.slice(0, 6)]
    expect(recollect(at, 'patterns', 'measure', ...args, '--json').json().practices).toMatchObject([
      { id: reading, verdict: 'too early', change: null, before: { sessions: 0 }, after: { sessions: 0 } },
    ])
  })

  it('saves a baseline and shows it the next time', () => {
    const saved = (...args: string[]) => recollect(at, 'patterns', 'measure', '--json', ...args).json().saved
    expect(saved()).toBeNull()
    expect(saved('--save')).toBeNull()
    expect(saved()).toMatchObject({ all: { sessions: 4 * each } })
    expect(saved('--project', 'shop')).toBeNull()
    const file = join(at.store, 'baselines.jsonl')
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -9))
    expect(saved('--save')).toBeNull()
    expect(recollect(at, 'patterns', 'measure').out).toContain('as saved on')
  })

  it('says what success counts, and does not compare it with figures that counted otherwise', () => {
    const { baseline, method } = recollect(at, 'patterns', 'measure', '--json').json()
    const { sessions, outcomes, success } = baseline.all
    const counted = Object.values<number>(outcomes).reduce((sum, count) => sum + count, 0)
    expect([counted, success]).toEqual([sessions, outcomes.success / sessions])
    expect(method.success).toContain('share of all these sessions')
    recollect(at, 'patterns', 'measure', '--label', 'before')
    const file = join(at.store, 'baselines.jsonl')
    const { outcomes: _, successInterval: __, ...all } = baseline.all
    const earlier = { at: '2026-01-01T00:00:00.000Z', project: null, label: 'old', all: { ...all, success: 0.98 } }
    writeFileSync(file, `${JSON.stringify(earlier)}\n`)
    const { out } = recollect(at, 'patterns', 'measure')
    expect(out.replace(/\s+/g, ' ')).toContain(`Success: ${outcomes.success} of ${sessions} sessions (`)
    expect(out).toMatch(/as saved on \(old\).* \?$/m)
  })

  it('SPEC D.29: saves figures with a label, and measures sessions since a time', () => {
    const measured = (...args: string[]) => recollect(at, 'patterns', 'measure', '--json', ...args).json()
    const some = measured('--since', '8d', '--label', 'new rules')
    expect(some.baseline.all.sessions).toBeGreaterThan(0)
    expect(some.baseline.all.sessions).toBeLessThan(4 * each)
    expect(measured().saved).toMatchObject({ label: 'new rules', since: expect.any(String), all: some.baseline.all })
    expect(recollect(at, 'patterns', 'measure').out).toContain('as saved on (new rules)')
  })

  it.each([
    ['an unknown practice', ['--practice', 'p-nothing'], 1],
    ['an unknown project', ['--project', 'nowhere'], 1],
    ['an unknown option', ['--nothing'], 2],
  ])('%s', (_, args, status) => {
    expect(recollect(at, 'patterns', 'measure', ...args).status).toBe(status)
  })

  it('fails where nothing was captured', () => {
    const empty = place()
    expect(recollect(empty, 'patterns', 'measure').status).toBe(1)
    expect(recollect(empty, 'retro').status).toBe(1)
    empty.remove()
  })
})

describe('retro', () => {
  it('lists the top three problems of each project with next steps', () => {
    const { projects } = recollect(at, 'retro', '--days', '16', '--json').json()
    expect(
      projects.map(({ project, sessions, sessionsBefore }: Record<string, unknown>) => [
        project,
        sessions,
        sessionsBefore,
      ]),
    ).toEqual([
      ['/home/dev/shop', each, each],
      ['/home/dev/site', each, each],
    ])
    const [shop, site] = projects
    expect(shop.top[0]).toMatchObject({ id: typing, sessions: 15, todo: { kind: 'publish' } })
    expect(site.top.slice(0, 2)).toMatchObject([
      { id: typing, sessions: 20, todo: { kind: 'follow' } },
      { id: reading, sessions: 20, todo: { kind: 'publish' } },
    ])
    const shifts = (list: { what: string }[]) => list.map(({ what }) => what)
    expect(shifts(shop.better)).toContain('Files edited before they were read')
    expect(shop.worse).toEqual([])
    expect(shifts(site.worse)[0]).toMatch(/option|command/)
  })

  it('prints a readable page', () => {
    const { out } = recollect(at, 'retro', '--days', '16', '--project', 'site')
    expect(out).toContain('site  30 sessions with claude-code; 30 in the 16 days before')
    expect(out).toContain('In 20 of 30 sessions')
    expect(out).toContain('recollect patterns publish')
    const [, shown] = /^ {4}(\S+#\d+) {2}npm error Unknown command/m.exec(out)!
    expect(recollect(at, 'show', shown!).status).toBe(0)
  })

  it('lists patterns that were not reviewed', () => {
    const other = place()
    try {
      for (let number = 0; number < 4; number++) write('shop', number, 1, { isUnread: true, isMistyped: false }, other)
      expect(recollect(other, 'sweep').status).toBe(0)
      const [{ id, todo }] = recollect(other, 'retro', '--json').json().projects[0].top
      expect(todo).toEqual({ kind: 'review', rule: expect.stringMatching(/^Read a file in this session/) })
      // SPEC D.30: what was rejected is not recommended again.
      expect(recollect(other, 'patterns', 'review', id, '--reject').status).toBe(0)
      expect(
        recollect(other, 'retro', '--json')
          .json()
          .projects[0].top.map((one: { id: string }) => one.id),
      ).not.toContain(id)
      expect(recollect(other, 'retro').out).not.toContain(id)
    } finally {
      other.remove()
    }
  })

  it('SPEC D.30: does not list a retired practice as new', () => {
    const other = place()
    try {
      for (let number = 0; number < 4; number++) write('shop', number, 1, { isUnread: true, isMistyped: false }, other)
      expect(recollect(other, 'sweep').status).toBe(0)
      const top = () => recollect(other, 'retro', '--json').json().projects[0].top
      const [{ id }] = top()
      expect(recollect(other, 'patterns', 'review', id, '--approve').status).toBe(0)
      expect(top()).toMatchObject([{ id, todo: { kind: 'publish' } }])
      expect(recollect(other, 'patterns', 'detect').out).not.toContain(id)
      expect(recollect(other, 'patterns', 'detect', '--all').out).toContain('approved: practices/')
      expect(recollect(other, 'patterns', 'retire', id).status).toBe(0)
      expect(top()).toEqual([])
    } finally {
      other.remove()
    }
  })

  it('SPEC D.30: publishes the approved practices that it lists', () => {
    const other = place()
    try {
      const root = join(other.home, 'shop')
      mkdirSync(root)
      for (let number = 0; number < 4; number++)
        write('shop', number, 1, { isUnread: true, isMistyped: true }, other, root)
      expect(recollect(other, 'sweep').status).toBe(0)
      const retro = (...args: string[]) => recollect(other, 'retro', ...args)
      expect(retro('--publish').err).toContain('No approved practice of this report is unpublished.')
      const [{ id }] = retro('--json').json().projects[0].top
      expect(recollect(other, 'patterns', 'review', id, '--approve').status).toBe(0)
      const shown = retro('--publish')
      expect(shown.out).toContain(`+++ ${join(root, 'CLAUDE.md')}`)
      expect(shown.err).toContain('Nothing was changed.')
      expect(retro('--publish', '--apply', '--json').json()).toMatchObject({
        published: { isApplied: true, files: [{ practices: [{ id }] }] },
      })
      expect(readFileSync(join(root, 'CLAUDE.md'), 'utf8')).toContain('## Practices')
      expect(retro('--json').json().projects[0].top[0]).toMatchObject({ id, todo: { kind: 'follow' } })
      // A practice that was just published shows the sessions before it.
      expect(recollect(other, 'patterns', 'measure', '--json').json().practices).toMatchObject([
        { id, verdict: 'too early', before: { sessions: 4 }, after: { sessions: 0 } },
      ])
      expect(retro('--apply').status).toBe(2)
    } finally {
      other.remove()
    }
  })

  it('fails where nothing happened recently', () => {
    const other = place()
    try {
      write('shop', 1, 40, { isUnread: true, isMistyped: false }, other)
      expect(recollect(other, 'sweep').status).toBe(0)
      expect(recollect(other, 'retro')).toMatchObject({
        status: 1,
        out: '',
        err: expect.stringContaining('To look further back: recollect retro --days <n>'),
      })
    } finally {
      other.remove()
    }
  })
})

/** Text that was wrapped to the width of the terminal, on one line. */
function unwrapped(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/** The pattern of a type, made a practice; its id. */
function approved(type: string): string {
  const detected = recollect(at, 'patterns', 'detect', '--json').json()
  const { id } = detected.find((pattern: { type: string }) => pattern.type === type)
  expect(recollect(at, 'patterns', 'review', id, '--approve', '--json').status).toBe(0)
  return id
}

function publish(project: string, practice: string): void {
  const ledger = openLedger(layoutOf(at.store))
  const standing = { practice, version: '1.0.0', agent: 'claude-code', project: `/home/dev/${project}` }
  savePublications(ledger, `/home/dev/${project}/CLAUDE.md`, [standing], { atMs: publishedAt, folders: [] })
  ledger.close()
}

interface Trouble {
  isUnread: boolean
  isMistyped: boolean
}

/** A session with a look, an edit that may fail, and a test run. */
function write(
  project: string,
  number: number,
  daysAgo: number,
  { isUnread, isMistyped }: Trouble,
  to = at,
  cwd = `/home/dev/${project}`,
): void {
  const session = `${number.toString(16).padStart(8, '0')}-${project === 'shop' ? '1111' : '2222'}-4111-8111-111111111111`
  let step = 0
  const record = (type: 'user' | 'assistant', content: unknown, more: object = {}) => ({
    type,
    uuid: `${session}-${step}`,
    timestamp: new Date(now - daysAgo * dayMs + step++ * 1000).toISOString(),
    sessionId: session,
    cwd,
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
    ...(isMistyped
      ? call('Bash', { command: 'npm tset' }, 'Exit code 1\nnpm error Unknown command: "tset"', true)
      : []),
    ...call('Read', { file_path: edit.file_path }, 'a'),
    ...call('Bash', { command: 'npm test' }, '3 passed, 0 failed'),
    record('assistant', [{ type: 'text', text: `The ${project} cart is faster.` }]),
  ]
  const path = join(to.home, `.claude/projects/-home-dev-${project}/${session}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines(records))
}
