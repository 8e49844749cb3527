import { describe, expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import { askAboutContradiction, checkContradictionOptions, inputAfter } from './contradiction.ts'

const old = [sampleMemory({ id: 'm-old', text: 'Deploy on Fridays' })]
const input = { text: 'Never deploy on Fridays', project: '/home/dev/app' }

async function asked(...answers: string[]): Promise<{ choice: string | undefined; said: string[] }> {
  const said: string[] = []
  const choice = await askAboutContradiction(
    old,
    (text) => said.push(text),
    async () => answers.shift(),
  )
  return { choice, said }
}

describe('askAboutContradiction', () => {
  it.each([
    ['n', 'new'],
    ['O', 'old'],
    [' both ', 'both'],
  ])('%s keeps the %s', async (answer, choice) => {
    expect(await asked(answer)).toEqual({
      choice,
      said: ['It contradicts a memory:', '  m-old (2026-09-01): Deploy on Fridays'],
    })
  })

  it('asks again after an unknown answer, and keeps nothing when the input ends', async () => {
    const { choice, said } = await asked('', 'x')
    expect(choice).toBeUndefined()
    expect(said.filter((line) => line === 'Unknown answer. Type n, o or b.')).toHaveLength(2)
  })
})

it('inputAfter supersedes the old one, keeps both, or remembers nothing', () => {
  expect(inputAfter('new', input, old)).toEqual({ ...input, supersedes: 'm-old' })
  expect(inputAfter('both', input, old)).toEqual({ ...input, keepsBoth: true })
  expect(inputAfter('old', input, old)).toBeUndefined()
})

it('refuses options that decide differently', () => {
  expect(() => checkContradictionOptions({ supersedes: 'm-old', keepBoth: true })).toThrow('cannot be combined')
})
