// Three machines and a server, up to a thousand operations, a way between them that loses, cuts, doubles and delays, and clocks that are
// wrong by years: in the end all have the same, no words are lost, nothing forgotten comes back, nothing private was seen.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scaled } from '../proof.ts'
import { seed } from '../random.ts'
import { type Opened, proofDatabases } from '../server/databases.ts'
import { checkAgreement } from './agreement.ts'
import { longStories, type Story, stories, told } from './operations.ts'
import { happen, newWorld, settle } from './world.ts'

const length = scaled(50, 1000)

describe.each(proofDatabases)('sync model on $name', ({ name, open }) => {
  const runs = scaled(1, name === 'PGlite' ? 1 : 2)
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.stop())

  it(`after ${length} operations`, async () => {
    const told = await firstFailure(longStories(length, { seed, count: runs }))
    expect(told).toBe('')
  })

  /** As a short list of operations, or nothing. */
  async function firstFailure(all: readonly Story[]): Promise<string> {
    for (const story of all) {
      const error = await play(story).then(() => undefined, String)
      if (error !== undefined) return shortened(story, error)
    }
    return ''
  }

  /** What fast-check can leave out of it in a minute. */
  async function shortened(story: Story, error: string): Promise<string> {
    const { counterexample, errorInstance } = await fc.check(fc.asyncProperty(stories(length), play), {
      examples: [[story]],
      numRuns: 1,
      interruptAfterTimeLimit: 60_000,
    })
    const { people, operations } = counterexample?.[0] ?? story
    return [`seed ${seed}: ${errorInstance ?? error}`, people.join(', '), ...operations.map(told)].join('\n')
  }

  async function play({ people, operations }: Story): Promise<void> {
    const world = await newWorld(opened.database, people)
    try {
      for (const operation of operations) await happen(world, operation)
      await settle(world, operations.length % 2 === 0)
      await checkAgreement(world)
    } finally {
      for (const one of world.machines) one.remove()
    }
  }
})
