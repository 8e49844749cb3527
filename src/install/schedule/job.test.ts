import { describe, expect, it } from 'vitest'
import type { Agent } from '../../agents/agent.ts'
import { checkJob, jobOf, lineByHand } from './job.ts'

const program = { node: '/usr/bin/node', cli: '/opt/my tools/cli.js' }
const codex: Agent = {
  id: 'codex',
  name: 'Codex',
  roots: ({ env, home }) => [env.CODEX_HOME || home, env.APPDATA ?? home],
  find: () => [],
}
const machine = (env: Record<string, string>) => ({ home: '/home/dev', env, platform: 'linux' as const })

describe('jobOf', () => {
  it('brings along where things lie, and nothing else', () => {
    const env = { RECOLLECT_HOME: '/data/recollect', CODEX_HOME: '/data/codex', APPDATA: 'x', API_KEY: 's3cret-word' }
    expect(jobOf(machine(env), [codex], program)).toEqual({
      ...program,
      env: { RECOLLECT_HOME: '/data/recollect', CODEX_HOME: '/data/codex' },
    })
    expect(jobOf(machine({ CODEX_HOME: '' }), [codex], program).env).toEqual({})
  })
})

describe('checkJob', () => {
  it.each([
    ['/home/dev/.npm/_npx/ab12/node_modules/recollect/dist/cli.js', /npx/],
    ['/home/dev/a\nb/cli.js', /line break/],
  ])('refuses %j', (cli, message) => {
    expect(() => checkJob({ node: '/usr/bin/node', cli, env: {} })).toThrow(message)
  })
})

it('gives the line to those who schedule by hand', () => {
  const job = { ...program, env: { RECOLLECT_HOME: '/data/50%' } }
  expect(lineByHand(job, machine({}))).toBe(
    `RECOLLECT_HOME='/data/50%' nice -n 10 /usr/bin/node '/opt/my tools/cli.js' work`,
  )
})
