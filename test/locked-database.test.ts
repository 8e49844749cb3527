// An agent may lock its database while a sweep reads it, and not write to it again afterwards.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { contentsOf, copyFixture, fixtureEnv, type TestHome, testHome } from './corpus/home.ts'

const homes: TestHome[] = []
afterEach(() => {
  for (const home of homes.splice(0)) home.remove()
})

function homeOf(agent: string): TestHome {
  const home = testHome(fixtureEnv(agent))
  homes.push(home)
  copyFixture(agent, home)
  return home
}

describe('capture of a locked database', () => {
  // Both also have files of sessions that the database holds.
  it.each([
    ['hermes', '.hermes/state.db'],
    ['openclaw', '.openclaw/agents/main/agent/openclaw-agent.sqlite'],
  ])('of %s is made up for by the next sweep', async (agent, path) => {
    const [locked, free] = [homeOf(agent), homeOf(agent)]
    const writer = new DatabaseSync(join(locked.path, path))
    writer.exec('BEGIN EXCLUSIVE')
    const { failed } = await locked.sweep()
    expect(failed).toContainEqual({ path: join(locked.path, path), offset: 0, reason: 'database is locked' })
    writer.exec('ROLLBACK')
    writer.close()
    await locked.sweep()
    await free.sweep()
    expect(contentsOf(locked).events).toEqual(contentsOf(free).events)
  })
})
