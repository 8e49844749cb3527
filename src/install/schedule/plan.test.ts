import { describe, expect, it } from 'vitest'
import type { Agent } from '../../agents/agent.ts'
import { manualCommandLine, scheduledJob, validateJob } from './plan.ts'

const program = { node: '/usr/bin/node', cli: '/opt/my tools/cli.js' }
const codex: Agent = {
  id: 'codex',
  name: 'Codex',
  roots: ({ env, home }) => [env.CODEX_HOME || home, env.APPDATA ?? home],
  find: () => [],
}
const machine = (env: Record<string, string>) => ({ home: '/home/dev', env, platform: 'linux' as const })

describe('scheduledJob', () => {
  it('includes only the variables that name folders', () => {
    const env = { RECOLLECT_HOME: '/data/recollect', CODEX_HOME: '/data/codex', APPDATA: 'x', API_KEY: 's3cret-word' }
    expect(scheduledJob(machine(env), [codex], program)).toEqual({
      ...program,
      env: { RECOLLECT_HOME: '/data/recollect', CODEX_HOME: '/data/codex' },
    })
    expect(scheduledJob(machine({ CODEX_HOME: '' }), [codex], program).env).toEqual({})
  })
})

describe('validateJob', () => {
  it.each([
    ['/home/dev/.npm/_npx/ab12/node_modules/recollect/dist/cli.js', /npx/],
    ['/home/dev/a\nb/cli.js', /line break/],
  ])('refuses %j', (cli, message) => {
    expect(() => validateJob({ node: '/usr/bin/node', cli, env: {} })).toThrow(message)
  })
})

it('manualCommandLine quotes variables and paths', () => {
  const job = { ...program, env: { RECOLLECT_HOME: '/data/50%' } }
  expect(manualCommandLine(job, machine({}))).toBe(
    `RECOLLECT_HOME='/data/50%' nice -n 10 /usr/bin/node '/opt/my tools/cli.js' work`,
  )
})
