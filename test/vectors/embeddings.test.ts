// What holds for both protocols: the right vectors in the right order, and whatever goes wrong is a value that says so.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setConsent } from '../../src/models/consent.ts'
import { type EmbeddingModel, embedTexts } from '../../src/models/embeddings.ts'
import { callsSince } from '../../src/store/memories/model-calls.ts'
import { type Place, place } from '../models/scripted.ts'
import { type Endpoint, endpoint } from './endpoint.ts'

let server: Endpoint
beforeAll(async () => {
  server = await endpoint()
})
afterAll(() => server.close())

let at: Place
beforeEach(async () => {
  server.asked.length = 0
  server.script({ kind: 'embeds' })
  at = await place([], {
    config: `openai_url = "${server.url}/v1"\n`,
    env: { OLLAMA_HOST: server.url, OPENAI_API_KEY: 'made-up' },
  })
})
afterEach(() => at.remove())

const embed = (by: EmbeddingModel, texts = ['a red couch', 'a blue lamp'], timeoutMs = 5000) =>
  embedTexts(at.context, by, texts, { timeoutMs })

describe.each<EmbeddingModel & { path: string }>([
  { provider: 'ollama', model: 'nomic-embed-text', path: '/api/embed' },
  { provider: 'openai', model: 'text-embedding-3-small', path: '/v1/embeddings' },
])('$provider', ({ path, ...by }) => {
  it('returns a vector for each text, in order', async () => {
    const both = await embed(by)
    const second = await embed(by, ['a blue lamp'])
    expect(both).toMatchObject({ kind: 'embedded', vectors: [{ length: 512 }, { length: 512 }] })
    expect(both).toHaveProperty('vectors.1', (second as { vectors: Float32Array[] }).vectors[0])
    expect(server.asked[0]).toMatchObject({ path, model: by.model, input: ['a red couch', 'a blue lamp'] })
  })

  it('is recorded in the ledger of spend', async () => {
    await embed(by)
    expect(callsSince(at.context.ledger, 0)).toMatchObject([
      { purpose: 'vectors', ...by, inputTokens: 12, outputTokens: 0, costUsd: 0, result: 'ok' },
    ])
  })

  it('is never sent a secret', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    await embed(by, [`the token is ${secret}, keep it`])
    expect(server.asked).toHaveLength(1)
    expect(JSON.stringify(server.asked)).not.toContain(secret)
  })

  it.each([
    ['busy', { kind: 'status', status: 429 }, 'failed', /http 429: scripted/],
    ['broken', { kind: 'status', status: 500 }, 'failed', /http 500/],
    ['another place', { kind: 'status', status: 404 }, 'unfit', /http 404/],
    ['not JSON', { kind: 'garbage', text: '<html>' }, 'failed', /no answer in it/],
    ['JSON of another kind', { kind: 'garbage', text: '{"embeddings":"many","data":7}' }, 'failed', /no answer in it/],
    ['half of the JSON', { kind: 'garbage', text: '{"embeddings":[[1,2' }, 'failed', /no answer in it/],
    ['one vector too few', { kind: 'forgets one' }, 'unfit', /1 vectors for 2 texts/],
    ['vectors of two lengths', { kind: 'vectors of two lengths' }, 'unfit', /different lengths/],
  ] as const)('%s', async (_, act, kind, reason) => {
    server.script(act)
    expect(await embed(by)).toEqual({ kind, reason: expect.stringMatching(reason) })
    expect(callsSince(at.context.ledger, 0)).toEqual([
      expect.objectContaining({ result: expect.not.stringMatching(/^ok/) }),
    ])
  })

  it('fails after the timeout', async () => {
    server.script({ kind: 'silence' })
    expect(await embed(by, ['a red couch'], 100)).toEqual({ kind: 'failed', reason: `${by.model}: timeout` })
  })

  it('is not asked after consent was refused', async () => {
    setConsent(at.context.ledger, at.context.clock, by.provider, 'refused')
    expect(await embed(by)).toMatchObject({ kind: 'unfit', reason: expect.stringContaining('not allowed') })
    expect(server.asked).toEqual([])
  })
})

describe('a paid endpoint', () => {
  const by: EmbeddingModel = { provider: 'openai', model: 'text-embedding-3-small' }
  const elsewhere = async (config: string) => {
    const paid = await place([], { config: `openai_url = "http://vectors.example.invalid/v1"\n${config}` })
    const ask = () => embedTexts(paid.context, by, ['a red couch'], { timeoutMs: 5000 })
    return { paid, ask }
  }

  it('is not asked without consent', async () => {
    const { paid, ask } = await elsewhere('')
    expect(await ask()).toEqual({ kind: 'unfit', reason: 'not allowed: recollect models allow openai' })
    expect(callsSince(paid.context.ledger, 0)).toEqual([])
    paid.remove()
  })

  it('is not asked beyond the daily limits', async () => {
    const { paid, ask } = await elsewhere('daily_calls = 0\n')
    setConsent(paid.context.ledger, paid.context.clock, 'openai', 'allowed')
    expect(await ask()).toEqual({ kind: 'unfit', reason: 'the limit of 0 calls a day is reached' })
    expect(callsSince(paid.context.ledger, 0)).toEqual([])
    paid.remove()
  })
})

it('embedTexts reports a missing address', async () => {
  const empty = await place([])
  const answer = await embedTexts(empty.context, { provider: 'openai', model: 'any' }, ['x'], { timeoutMs: 100 })
  expect(answer).toEqual({ kind: 'unfit', reason: 'models.openai_url is not set' })
  empty.remove()
})
