// What holds for every provider: it is found when it is there, answers, and whatever goes wrong is a reply that says so.
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { parseAnswer } from '../../src/models/call.ts'
import type { ProviderName } from '../../src/models/context.ts'
import type { ProviderReply } from '../../src/models/providers/provider.ts'
import { providers } from '../../src/models/registry.ts'
import { waitFor } from '../wait-for.ts'
import { type Act, isAlive, type Model, modelOf, type Place, place, says, status } from './scripted.ts'

const schema = z.object({ colour: z.string(), weight: z.number() })
const good = '{"colour":"blue","weight":1}'

describe.each(Object.keys(providers) as ProviderName[])('%s', (name) => {
  let model: Model
  let at: Place
  beforeAll(async () => {
    model = await modelOf(name)
    at = await place([model])
  })
  afterAll(async () => {
    at.remove()
    await model.close()
  })

  const ask = async (act: Act, timeoutMs = 20_000): Promise<ProviderReply> => {
    model.script(act)
    const found = await providers[name].find(at.context)
    if (found.kind !== 'found') throw new Error(found.reason)
    return providers[name].ask(at.context, {
      model: found.models[0]!,
      system: 'Which colour?',
      text: 'The sea.',
      schema: z.toJSONSchema(schema),
      maxOutputTokens: 500,
      timeoutMs,
      maxUsd: 0.05,
    })
  }

  it('is not found on a machine without it', async () => {
    const empty = await place([])
    expect(await providers[name].find(empty.context)).toMatchObject({ kind: 'missing', reason: expect.any(String) })
    empty.remove()
  })

  it('answers and reports its usage', async () => {
    const reply = await ask(says(good))
    expect(reply).toMatchObject({
      kind: 'said',
      spent: { model: expect.stringMatching(/./), inputTokens: 1000, outputTokens: expect.any(Number) },
    })
    expect(parsed(reply)).toEqual({ kind: 'valid', value: { colour: 'blue', weight: 1 } })
  })

  it('gets the question and the schema of the answer', async () => {
    await ask(says(good))
    const asked = model.asked.at(-1)!
    expect(asked).toContain('The sea.')
    expect(asked).toContain('Which colour?')
  })

  it.each([
    ['in a fence', `Here it is:\n\`\`\`json\n${good}\n\`\`\`\nIt {fits} well.`],
    ['between words', `It is ${good}, I think.`],
  ])('may answer %s', async (_, text) => {
    expect(parsed(await ask(says(text)))).toEqual({ kind: 'valid', value: { colour: 'blue', weight: 1 } })
  })

  it.each([
    ['half of the JSON', good.slice(0, 14)],
    ['values of wrong types', '{"colour":7,"weight":"heavy"}'],
    ['words', 'I would rather not.'],
    ['nothing', ''],
    ['something else', '{"answer":[1,2,3]}'],
  ])('may answer with %s, which is malformed and no more', async (_, text) => {
    expect(parsed(await ask(says(text)))).toEqual({ kind: 'malformed', problem: expect.stringMatching(/./) })
  })

  it.each([500, 529, 429])('is worth another attempt after a %i', async (code) => {
    expect(await ask(status(code))).toMatchObject({ kind: 'failed', result: `http ${code}`, remedy: 'retry' })
  })

  it.each([401, 403, 404])('is not worth another attempt after a %i', async (code) => {
    expect(await ask(status(code))).toMatchObject({
      kind: 'failed',
      result: `http ${code}`,
      detail: expect.stringContaining('scripted'),
      remedy: 'user',
    })
  })

  it.each([
    ['a page of words', '<html>Bad gateway</html>'],
    ['JSON that means nothing', '{"hello":["world"]}'],
    ['JSON of another kind', '[]'],
    ['a null', 'null'],
  ])('may be replaced by %s', async (_, text) => {
    expect(await ask({ kind: 'garbage', text })).toMatchObject({ kind: 'failed', remedy: 'retry', spent: null })
  })

  it('times out', async () => {
    expect(await ask({ kind: 'silence' }, 500)).toMatchObject({ kind: 'failed', result: 'timeout', remedy: 'retry' })
  })

  it('stops reading an answer of 10 MB', async () => {
    expect(await ask({ kind: 'flood' })).toMatchObject({ kind: 'failed', result: 'too long', remedy: 'later' })
    // What the two ends of the connection hold on their own is more than was read.
    expect(model.taken()).toBeLessThan(9 * 1024 * 1024)
  })

  it('fails if the answer breaks off', async () => {
    expect(await ask({ kind: 'cut off' })).toMatchObject({ kind: 'failed', remedy: 'retry', spent: null })
  })

  it('SPEC A.22: accepts a complete answer before an error', async () => {
    expect(parsed(await ask({ kind: 'breaks after', text: good }))).toMatchObject({ kind: 'valid' })
    expect(parsed(await ask({ kind: 'hangs after', text: good }, name === 'claude' ? 3000 : 500))).toMatchObject({
      kind: 'valid',
    })
  })

  it('fails if the server is gone', async () => {
    const gone = await modelOf(name)
    const left = await place([gone])
    await gone.close()
    const request = { model: 'any', system: '', text: '', schema: {}, maxOutputTokens: 10, timeoutMs: 5000, maxUsd: 1 }
    expect(await providers[name].ask(left.context, request)).toMatchObject({
      kind: 'failed',
      result: name === 'claude' ? 'not installed' : 'no connection',
    })
    left.remove()
  })
})

describe('claude', () => {
  let model: Model
  let at: Place
  beforeAll(async () => {
    model = await modelOf('claude')
    at = await place([model], {
      env: {
        CLAUDECODE: '1',
        CLAUDE_CODE_SESSION_ID: 'outer',
        CLAUDE_CODE_ENTRYPOINT: 'cli',
        ANTHROPIC_API_KEY: 'kept',
      },
    })
  })
  afterAll(async () => {
    at.remove()
    await model.close()
  })
  const request = {
    model: 'haiku',
    system: 'Judge.',
    text: 'private words',
    schema: {},
    maxOutputTokens: 500,
    maxUsd: 0.05,
  }
  const run = (act: object, timeoutMs = 20_000) => {
    model.script(act as Act)
    return providers.claude.ask(at.context, { ...request, timeoutMs })
  }

  it('SPEC B.9: runs isolated from our session, without hooks and tools', async () => {
    await run(says('{}'))
    const { args, input, cwd, env } = JSON.parse(model.asked.at(-1)!)
    expect(input).toBe('private words')
    expect(args.join(' ')).not.toContain('private words')
    expect(cwd).toBe(`${at.context.ledger.layout.run}/judge`)
    expect(args.join(' ')).toBe(
      '-p --model haiku --output-format json --tools  --setting-sources  --strict-mcp-config --no-session-persistence --disable-slash-commands --max-budget-usd 0.0500 --system-prompt Judge.',
    )
    expect(env).toMatchObject({ RECOLLECT_INTERNAL: '1', ANTHROPIC_API_KEY: 'kept', HOME: at.context.machine.home })
    expect(Object.keys(env)).not.toContain('CLAUDECODE')
    expect(Object.keys(env).filter((name) => /SESSION_ID|ENTRYPOINT/.test(name))).toEqual([])
  })

  it('is killed with everything it started at the timeout', async () => {
    await run({ kind: 'silence' }, 3000)
    const pids = readFileSync(`${dirname(model.env.PATH!)}/pids`, 'utf8')
      .split(' ')
      .map(Number)
    expect(pids).toHaveLength(2)
    await waitFor(() => !pids.some(isAlive))
  })

  it('costs nothing if it dies before its first output', async () => {
    expect(await run({ kind: 'dies' })).toMatchObject({ result: 'exit 1', remedy: 'retry', spent: { costUsd: 0 } })
  })

  it('reports a version that is too old for an option', async () => {
    expect(await run({ kind: 'old' })).toMatchObject({
      kind: 'failed',
      result: 'too old',
      detail: 'this claude does not know --tools: claude update',
      remedy: 'user',
    })
  })

  it.each([
    ['is not signed in', { result: 'Not logged in · Please run /login' }, { result: 'error', remedy: 'user' }],
    [
      'cannot reach its server',
      { result: 'API Error: Connection refused' },
      { result: 'no connection', remedy: 'retry' },
    ],
    [
      'has used up its budget',
      { subtype: 'error_max_budget_usd', errors: ['Reached maximum budget ($0.05)'], total_cost_usd: 0.06 },
      { result: 'error_max_budget_usd', remedy: 'later', spent: expect.objectContaining({ costUsd: 0.06 }) },
    ],
  ])('that %s is understood', async (_, more, expected) => {
    expect(await run({ kind: 'result', more: { is_error: true, ...more } })).toMatchObject({
      kind: 'failed',
      ...expected,
    })
  })
})

describe('openai', () => {
  it('is asked without a schema if the server refuses one', async () => {
    const model = await modelOf('openai')
    const at = await place([model])
    model.script(status(400), says(good))
    const request = { model: 'm', system: '', text: '', schema: {}, maxOutputTokens: 10, timeoutMs: 5000, maxUsd: 1 }
    expect(parsed(await providers.openai.ask(at.context, request))).toMatchObject({ kind: 'valid' })
    expect(model.asked.map((body) => Object.keys(JSON.parse(body)))).toEqual([
      ['model', 'messages', 'response_format', 'max_tokens'],
      ['model', 'messages', 'max_tokens'],
    ])
    at.remove()
    await model.close()
  })
})

function parsed(reply: ProviderReply) {
  return reply.kind === 'said' ? parseAnswer(reply.text, schema) : reply
}
