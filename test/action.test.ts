// What the GitHub Action keeps of a job.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claudeSession, type Place, place, sessionName } from './program.ts'

const root = join(import.meta.dirname, '..')
const secret = `ghp_${'a1B2'.repeat(9)}`
const workspace = '/home/runner/work/app/app'
let at: Place
beforeAll(() => {
  const says = (turn: number) => (turn === 0 ? `release <b>it</b> | with ${secret}` : undefined)
  at = place({
    [`.claude/projects/-job/${sessionName(1)}.jsonl`]: claudeSession(sessionName(1), 1, {
      cwd: `${workspace}/docs`,
      says,
    }),
    [`.claude/projects/-other/${sessionName(2)}.jsonl`]: claudeSession(sessionName(2), 1, {
      cwd: '/home/runner/private',
    }),
  })
})
afterAll(() => at.remove())

const collect = (name: string, env: Record<string, string> = {}) => {
  const folder = join(at.root, name)
  const options = {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: at.home,
      TZ: 'UTC',
      RECOLLECT_HOME: at.store,
      GITHUB_WORKSPACE: workspace,
      GITHUB_OUTPUT: join(at.root, `${name}.output`),
      GITHUB_STEP_SUMMARY: join(at.root, `${name}.summary`),
      ...env,
    },
  } as const
  const ran = spawnSync(process.execPath, [join(root, 'packaging', 'action', 'collect.mjs'), folder], options)
  expect(ran.status, ran.stderr).toBe(0)
  const files = Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
  return { files, read: (what: string) => readFileSync(join(at.root, `${name}.${what}`), 'utf8') }
}

describe('the action', () => {
  it('keeps a list and a packet of the sessions in the workspace, without secrets', () => {
    const { files, read } = collect('kept')
    const name = `claude-code-${sessionName(1)}.md`
    expect(Object.keys(files)).toEqual([name, 'sessions.json'])
    expect(JSON.parse(files['sessions.json']!)).toMatchObject([{ id: `claude-code:${sessionName(1)}` }])
    expect(files[name]).toContain('release')
    for (const text of [...Object.values(files), read('summary')]) expect(text).not.toContain(secret)
    expect(read('output')).toBe('sessions=1\n')
    expect(read('summary')).toContain('| claude-code | release b it /b with secret: github-token | success | 0.00 |\n')
  })

  it('keeps conversations if it is asked to', () => {
    const { files } = collect('conversations', { INPUT_CONVERSATIONS: 'true' })
    expect(files[`claude-code-${sessionName(1)}.html`]).toContain('answer 0: it works')
  })

  it('leaves no store behind', () => expect(existsSync(at.store)).toBe(false))

  it('counts none in a job without agents', () => {
    const { read } = collect('none', { HOME: at.root })
    expect(read('output')).toBe('sessions=0\n')
  })
})
