import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Place, place, recollect } from '../../../test/program.ts'

let at: Place
beforeAll(() => {
  at = place()
  const fixtures = join(import.meta.dirname, '../../../test/agents/fixtures')
  for (const agent of ['claude-code', 'opencode']) cpSync(join(fixtures, agent, 'home'), at.home, { recursive: true })
  recollect(at, 'sweep')
})
afterAll(() => at.remove())

describe('blame', () => {
  it('prints time, agent, prompt, changed lines and outcome of each session', () => {
    const { status, out } = recollect(at, 'blame', '/home/dev/tidepool/src/tides.ts')
    expect(status).toBe(0)
    expect(out).toMatch(/^2026-09-01 09:00 {2}claude-code {2}a1f0c3d2-5b6e\n/)
    expect(out).toContain('+1 -1 in 1 change')
    expect(out).toMatch(/you asked: .+ {2}\+1 -1 {2}a1f0c3d2-5b6e#\d+/)
  })

  it('finds a file by project name if the folder no longer exists', () => {
    const named = recollect(at, 'blame', 'src/tide.ts', '--project', '/home/dev/tidepool', '--json').json()
    expect(named).toMatchObject({ file: 'src/tide.ts', total: 1, sessions: [{ agent: 'opencode' }] })
  })

  it('falls back to the file for lines outside of a git repository', () => {
    const run = recollect(at, 'blame', '/home/dev/tidepool/src/tides.ts:1-3')
    expect(run).toMatchObject({ status: 0, err: expect.stringContaining('no git repository') })
    expect(run.out).toContain('claude-code')
  })

  it.each([
    ['a file without sessions', ['/home/dev/tidepool/src/none.ts'], 1, 'No session is known'],
    ['the same name elsewhere', ['/home/dev/tidepool/tides.ts'], 1, 'Did you mean /home/dev/tidepool/src/tides.ts?'],
    ['a place outside of every project', ['/nowhere/x.ts'], 1, 'No session is known'],
    ['lines backwards', ['src/x.ts:9-3'], 2, 'no lines 9 to 3'],
  ])('%s', (_, args, status, words) =>
    expect(recollect(at, 'blame', ...args)).toMatchObject({ status, err: expect.stringContaining(words) }),
  )
})
