// The questions in docs/recall.md have the answers that are printed there.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Place, place, recollect } from './program.ts'

const root = join(import.meta.dirname, '..')
const [, section = ''] = readFileSync(join(root, 'docs/recall.md'), 'utf8').split('### Ten questions')
const [, examples = ''] = section.split('```')
const questions = examples
  .trim()
  .split(/^\$ recollect recall /m)
  .filter((example) => example !== '')
  .map((example): [question: string, answer: string[]] => {
    const [question = '', ...answer] = example.trimEnd().split('\n')
    return [question, answer]
  })

let at: Place
beforeAll(() => {
  at = place()
  cpSync(join(root, 'demo/home'), at.home, { recursive: true })
  expect(recollect(at, 'sweep').status).toBe(0)
})
afterAll(() => at.remove())

describe('the questions in docs/recall.md', () => {
  it('are ten', () => expect(questions).toHaveLength(10))

  it.each(questions)('%s', (question, answer) => {
    const lines = recollect(at, 'recall', '--all', question).out.trimEnd().split('\n')
    const [composed = ''] = lines.join('\n').split('\n\nAlso found:')
    expect(composed.split('\n').filter((line) => !line.startsWith('Resume: '))).toEqual(answer)
  })
})
