// Model-based test of sync: three machines and a server, up to a thousand operations, a network that
// loses, cuts, repeats and delays requests, and clocks that are wrong by years. In the end all
// machines have the same memories, no words are lost, nothing forgotten is back, and nothing private
// has reached the server.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scaled } from '../proof.ts'
import { seed } from '../random.ts'
import { type OpenedDatabase, proofDatabases } from '../server/databases.ts'
import { checkConvergence } from './check-convergence.ts'
import { operationText, type Scenario, sampleScenarios, scenarios } from './operations.ts'
import { applyOperation, createSimulation, syncUntilStable } from './simulation.ts'

const length = scaled(50, 1000)

describe.each(proofDatabases)('sync model on $name', ({ name, open }) => {
  const runs = scaled(1, name === 'PGlite' ? 1 : 2)
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.stop())

  it(`converges after ${length} operations`, async () => {
    const failure = await firstFailure(sampleScenarios(length, { seed, count: runs }))
    expect(failure).toBe('')
  })

  /** Returns the first failure with a short list of operations, or an empty string. */
  async function firstFailure(all: readonly Scenario[]): Promise<string> {
    for (const scenario of all) {
      const error = await runScenario(scenario).then(() => undefined, String)
      if (error !== undefined) return shrink(scenario, error)
    }
    return ''
  }

  /** Removes operations that the failure does not need, for a minute. */
  async function shrink(scenario: Scenario, error: string): Promise<string> {
    const { counterexample, errorInstance } = await fc.check(fc.asyncProperty(scenarios(length), runScenario), {
      examples: [[scenario]],
      numRuns: 1,
      interruptAfterTimeLimit: 60_000,
    })
    const { people, operations } = counterexample?.[0] ?? scenario
    return [`seed ${seed}: ${errorInstance ?? error}`, people.join(', '), ...operations.map(operationText)].join('\n')
  }

  async function runScenario({ people, operations }: Scenario): Promise<void> {
    const simulation = await createSimulation(opened.database, people)
    try {
      for (const operation of operations) await applyOperation(simulation, operation)
      await syncUntilStable(simulation, operations.length % 2 === 0)
      await checkConvergence(simulation)
    } finally {
      for (const one of simulation.machines) one.remove()
    }
  }
})
