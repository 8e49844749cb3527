import { describe, expect, it } from 'vitest'
import { parseConfig } from '../core/config/config.ts'
import { priceUsd } from './governor.ts'
import { isPaid } from './pricing-class.ts'

describe('priceUsd', () => {
  const million = { input: 1_000_000, output: 0 }
  it('uses the price list, also for short names of the claude program', async () => {
    expect(await priceUsd('claude-haiku-4-5', million)).toBeCloseTo(1)
    expect(await priceUsd('haiku', million)).toBeCloseTo(1)
    expect(await priceUsd('haiku', { input: 0, output: 1_000_000 })).toBeCloseTo(5)
  })

  it('counts an unknown model as expensive', async () => {
    expect(await priceUsd('unheard-of', million)).toBeCloseTo(15)
  })
})

it.each([
  ['http://localhost:8000/v1', false],
  ['http://127.0.0.1:1234/v1', false],
  ['http://127.1.2.3/v1', false],
  ['http://[::1]:8000/v1', false],
  ['http://llm.localhost/v1', false],
  ['https://api.openai.com/v1', true],
  ['http://localhost.example.com/v1', true],
  ['http://192.168.1.2:8000/v1', true],
])('an OpenAI endpoint at %s costs money: %s', (url, expected) => {
  expect(isPaid('openai', parseConfig(`[models]\nopenai_url = "${url}"`, 'config.toml'))).toBe(expected)
})
