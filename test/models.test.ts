// Through the order of the models, with scripted ones: who is asked, how often, what it costs, and where it ends.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { fixedClock } from '../src/core/clock.ts'
import { loadConfig } from '../src/core/config/config.ts'
import { ask } from '../src/models/ask.ts'
import { firstAllowedProvider, setConsent } from '../src/models/consent.ts'
import type { ModelContext, ModelQuestion } from '../src/models/context.ts'
import { budgetState, spentToday } from '../src/models/governor.ts'
import { chooseJudge, chooseNoJudge, isJudgeUndecided, judgeChoices } from '../src/models/judge-choice.ts'
import { beginCall, callsSince, saveCallYield } from '../src/store/memories/model-calls.ts'
import { type Model, modelOf, type Place, place, says, status } from './models/scripted.ts'

const schema = z.object({ events: z.array(z.object({ text: z.string(), importance: z.number() })) })
const good = says('{"events":[{"text":"Use tabs","importance":0.8}]}')
const value = { events: [{ text: 'Use tabs', importance: 0.8 }] }
const malformed = says('{"events":[{"text":"Use tabs","importance":"high"},"and spaces"]}')

const question: ModelQuestion<z.infer<typeof schema>> = {
  purpose: 'memories',
  session: 'claude-code:s1',
  system: 'What is worth remembering?',
  text: 'Always use tabs.',
  schema,
  maxOutputTokens: 500,
}

const open: { at: Place[]; models: Model[] } = { at: [], models: [] }
afterEach(async () => {
  for (const at of open.at.splice(0)) at.remove()
  for (const model of open.models.splice(0)) await model.close()
})

describe('ask: the order of providers', () => {
  it('ends with the first answer', async () => {
    const { models, context } = await stage(['openai', 'ollama'])
    models.openai!.script(good)
    expect(await ask(context, question)).toEqual({
      kind: 'answered',
      value,
      provider: 'openai',
      model: 'local-model',
      costUsd: 0,
      call: 1,
    })
    expect(models.ollama!.asked).toEqual([])
    expect(calls(context)).toEqual([
      expect.objectContaining({
        at: context.clock.nowMs(),
        purpose: 'memories',
        session: 'claude-code:s1',
        provider: 'openai',
        model: 'local-model',
        inputTokens: 1000,
        outputTokens: 100,
        costUsd: 0,
        result: 'ok',
      }),
    ])
  })

  it('books how much of a question a person wrote, and why elements of the answer were dropped', async () => {
    const { models, context } = await stage(['openai'])
    models.openai!.script(good)
    await ask(context, { ...question, personShare: 0.5 })
    const drops = [{ reason: 'no such quote', text: 'It is\ngreen.' }]
    saveCallYield(context.ledger, 1, { saved: 1, dropped: 1, drops })
    expect(calls(context)).toMatchObject([
      {
        ...{ memoriesSaved: 1, dropped: 1, drops: [{ reason: 'no such quote', text: 'It is green.' }] },
        personChars: question.text.length / 2,
      },
    ])
    expect(calls(context)[0]!.inputChars).toBeGreaterThan(question.system.length + question.text.length)
  })

  it('asks the next after three attempts, with pauses of 2 and 4 seconds', async () => {
    const { models, context, pausesMs } = await stage(['openai', 'ollama'])
    models.openai!.script(status(500))
    models.ollama!.script(good)
    expect(await ask(context, question)).toMatchObject({ kind: 'answered', provider: 'ollama', model: 'qwen2.5:3b' })
    expect(results(context)).toEqual(['http 500', 'http 500', 'http 500', 'ok'])
    expect(pausesMs).toEqual([2000, 4000])
  })

  it.each([401, 403, 404])('asks the next at once after a %i', async (code) => {
    const { models, context, pausesMs } = await stage(['anthropic', 'ollama'])
    setConsent(context.ledger, context.clock, 'anthropic', 'allowed')
    models.anthropic!.script(status(code))
    models.ollama!.script(good)
    expect(await ask(context, question)).toMatchObject({ kind: 'answered', provider: 'ollama' })
    expect(results(context)).toEqual([`http ${code}`, 'ok'])
    expect(pausesMs).toEqual([])
  })

  it('ends at the heuristic judge, and never asks a fork', async () => {
    const { models, context } = await stage(['openai', 'ollama'], { order: '["claude-fork", "heuristic", "openai"]' })
    expect(await ask(context, question)).toEqual({ kind: 'unavailable', reasons: [] })
    expect(models.openai!.asked).toEqual([])
  })

  it('SPEC B.2: a machine without the claude program still asks the others', async () => {
    const { models, context } = await stage(['ollama'], { order: '["claude", "anthropic", "openai", "ollama"]' })
    models.ollama!.script(good)
    expect(await ask(context, question)).toMatchObject({ kind: 'answered', provider: 'ollama' })
  })

  it('reports why each provider was not asked', async () => {
    const { context } = await stage([], { order: '["claude", "anthropic", "openai", "ollama", "heuristic"]' })
    expect(await ask(context, question)).toEqual({
      kind: 'unavailable',
      // The order names Ollama; the others were not allowed.
      obstacle: 'outage',
      reasons: [
        { provider: 'claude', reason: 'the claude program is not installed' },
        { provider: 'anthropic', reason: 'ANTHROPIC_API_KEY is not set' },
        { provider: 'openai', reason: 'models.openai_url is not set' },
        { provider: 'ollama', reason: 'nothing answers at http://127.0.0.1:9' },
      ],
    })
    expect(calls(context)).toEqual([])
  })

  it('reports how each provider failed, and that a retry may help', async () => {
    const { models, context } = await stage(['openai', 'ollama'])
    models.openai!.script(status(500))
    models.ollama!.script(malformed)
    expect(await ask(context, question)).toEqual({
      kind: 'failed',
      reasons: [
        { provider: 'openai', reason: 'local-model: http 500: scripted (3 attempts)' },
        { provider: 'ollama', reason: expect.stringMatching(/^\S+: malformed answer, twice: events\.0\.importance: /) },
      ],
    })
  })

  it('is unavailable, not failed, with a wrong key: asking again would not help', async () => {
    const { models, context } = await stage(['openai'])
    models.openai!.script(status(401))
    expect(await ask(context, question)).toMatchObject({ kind: 'unavailable' })
  })

  it('tries the installed models of Ollama in the configured order', async () => {
    const { models, context } = await stage(['ollama'], {
      config: 'ollama = ["mistral", "llama3.2:3b", "qwen2.5:3b"]\n',
    })
    models.ollama!.script(status(404), good)
    expect(await ask(context, question)).toMatchObject({ kind: 'answered', model: 'qwen2.5:3b' })
    expect(models.ollama!.asked.map((body) => JSON.parse(body).model)).toEqual(['llama3.2:3b', 'qwen2.5:3b'])
  })
})

describe('ask: a malformed answer', () => {
  it('SPEC B.12: with values of wrong types is repaired once and never throws', async () => {
    const { models, context } = await stage(['openai'])
    models.openai!.script(malformed, good)
    expect(await ask(context, question)).toMatchObject({ kind: 'answered', value })
    expect(results(context)).toEqual(['malformed', 'ok'])
    const again = models.openai!.asked[1]!
    expect(again).toContain('Always use tabs.')
    expect(again).toContain('events.0.importance')
  })

  it('is repaired only once, then the next provider is asked', async () => {
    const { models, context } = await stage(['openai', 'ollama'])
    models.openai!.script(malformed)
    models.ollama!.script(good)
    expect(await ask(context, question)).toMatchObject({ kind: 'answered', provider: 'ollama' })
    expect(results(context)).toEqual(['malformed', 'malformed', 'ok'])
  })
})

describe('ask: the sent text', () => {
  it('SPEC B.7: is truncated to the newest part', async () => {
    const { models, context } = await stage(['openai'])
    models.openai!.script(malformed, good)
    const lines = Array.from({ length: 2000 }, (_, index) => `line ${index} of the talk`)
    await ask(context, { ...question, text: lines.join('\n') })
    const texts = models.openai!.asked.map((body) => JSON.parse(body).messages[1].content as string)
    expect(texts).toHaveLength(2)
    for (const text of texts) {
      expect(text).toContain('line 1999 of the talk')
      expect(text).not.toContain('line 1 of the talk')
      expect(text.length).toBeLessThanOrEqual(15_000)
      expect(text.length).toBeGreaterThan(13_000)
    }
  })

  it('contains no secret, not even half of one', async () => {
    const { models, context } = await stage(['openai'])
    models.openai!.script(good)
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    const text = `<private>my salary ${'x'.repeat(9000)}</private>${secret}${'.'.repeat(14_910)} ${secret}`
    await ask(context, { ...question, text })
    expect(models.openai!.asked[0]).toContain('[secret: github-token]')
    expect(models.openai!.asked[0]).not.toMatch(/a1B2c3|salary|xxxx/)
  })

  it('is sent one call at a time', async () => {
    const { models, context } = await stage(['openai'])
    models.openai!.script(good)
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(context, question)))
    expect(answers.map(({ kind }) => kind)).toEqual(Array(5).fill('answered'))
    expect(models.openai!.maxAtOnce()).toBe(1)
  })
})

describe('ask: a paid provider', () => {
  it('is not asked before the user allowed it', async () => {
    const { models, context } = await stage(['claude'])
    models.claude!.script(good)
    expect(await ask(context, question)).toEqual({
      kind: 'unavailable',
      reasons: [{ provider: 'claude', reason: 'not allowed yet: recollect models allow claude' }],
    })
    expect(models.claude!.asked).toEqual([])
    setConsent(context.ledger, context.clock, 'claude', 'allowed')
    expect(await ask(context, question)).toMatchObject({ kind: 'answered', provider: 'claude', costUsd: 0.00125 })
    setConsent(context.ledger, context.clock, 'claude', 'refused')
    expect(await ask(context, question)).toMatchObject({ kind: 'unavailable' })
    expect(models.claude!.asked).toHaveLength(1)
  })
})

describe('the choice of a judge', () => {
  const byDefault = '["claude", "ollama", "heuristic"]'
  const names = async (context: ModelContext) => (await judgeChoices(context)).map(({ name }) => name)
  const decision = (context: ModelContext, root: string) => ({ ...context, configPath: join(root, 'config.toml') })
  const written = (root: string) => loadConfig(join(root, 'config.toml')).models

  it('has the claude program if it is signed in, and the models of Ollama', async () => {
    const { context, models } = await stage(['claude', 'ollama'], { order: byDefault })
    expect(await judgeChoices(context)).toMatchObject([
      { name: 'claude', model: 'haiku', receiver: 'Anthropic, with your Claude Code', isPaid: true, settings: {} },
      { name: 'ollama', model: 'qwen2.5:3b', others: ['llama3.2:3b'], isPaid: false, settings: {} },
    ])
    writeFileSync(join(models.claude!.env.SCRIPTED!, 'signed-out'), '')
    expect(await names(context)).toEqual(['ollama'])
    expect(models.claude!.asked).toEqual([])
  })

  it('has a model of Ollama that config.toml does not name', async () => {
    const { context, root } = await stage(['ollama'], { order: byDefault, config: 'ollama = ["mistral"]\n' })
    const [choice] = await judgeChoices(context)
    expect(choice).toMatchObject({ model: 'llama3.2:3b', settings: { ollama: ['llama3.2:3b'] } })
    chooseJudge(decision(context, root), choice!)
    expect(written(root)).toMatchObject({ ollama: ['llama3.2:3b'], order: ['claude', 'ollama', 'heuristic'] })
  })

  it('has the APIs that there are keys for', async () => {
    const { context, root } = await stage([], {
      order: byDefault,
      env: { ANTHROPIC_API_KEY: 'made-up', OPENAI_API_KEY: 'made-up' },
    })
    const [anthropic, openai] = await judgeChoices(context)
    expect([anthropic, openai]).toMatchObject([
      { name: 'anthropic', model: 'claude-haiku-4-5', isPaid: true },
      { name: 'openai', model: 'gpt-5-mini', receiver: 'OpenAI, with OPENAI_API_KEY', isPaid: true },
    ])
    chooseJudge(decision(context, root), openai!)
    expect(written(root)).toMatchObject({
      order: ['openai', 'heuristic'],
      openaiUrl: 'https://api.openai.com/v1',
      openai: 'gpt-5-mini',
      // It stands in the default order; nobody has chosen it.
      isOllamaChosen: false,
    })
  })

  it('is made once, also if it is none', async () => {
    const { context, root } = await stage(['claude'], { order: byDefault })
    expect(isJudgeUndecided(context)).toBe(true)
    chooseNoJudge(decision(context, root))
    expect(isJudgeUndecided(context)).toBe(false)
    expect(firstAllowedProvider(context)).toBeUndefined()
  })

  it.each([
    ['a model was allowed before', byDefault, 'claude'],
    ['config.toml names Ollama', '["ollama", "heuristic"]', undefined],
    ['config.toml begins with rules', '["heuristic"]', undefined],
  ] as const)('is not asked for if %s', async (_, order, allowed) => {
    const { context } = await stage(['claude'], { order })
    if (allowed) setConsent(context.ledger, context.clock, allowed, 'allowed')
    expect(isJudgeUndecided(context)).toBe(false)
  })

  it('comes before models that were allowed, and none denies them', async () => {
    const { context, root, models } = await stage(['claude', 'ollama'], { order: byDefault })
    for (const name of ['claude', 'ollama'] as const) setConsent(context.ledger, context.clock, name, 'allowed')
    const ollama = (await judgeChoices(context)).find(({ name }) => name === 'ollama')!
    chooseJudge(decision(context, root), ollama)
    expect(written(root).order).toEqual(['ollama', 'claude', 'heuristic'])
    chooseNoJudge(decision(context, root))
    expect(await ask(context, question)).toMatchObject({ kind: 'unavailable' })
    expect(models.claude!.asked).toEqual([])
  })
})

describe('ask: Ollama on this machine', () => {
  const byDefault = '["claude", "ollama", "heuristic"]'

  it('is not asked before the user allows it', async () => {
    const { models, context } = await stage(['ollama'], { order: byDefault })
    models.ollama!.script(good)
    expect(await ask(context, question)).toMatchObject({ kind: 'unavailable' })
    expect(models.ollama!.asked).toEqual([])
    setConsent(context.ledger, context.clock, 'ollama', 'allowed')
    expect(await ask(context, question)).toMatchObject({ kind: 'answered', provider: 'ollama' })
  })

  it.each([
    ['in the order', { order: '["ollama", "heuristic"]' }],
    ['by its models', { order: byDefault, config: 'ollama = ["llama3.2:3b"]\n' }],
  ])('is allowed if config.toml names it %s', async (_, options) => {
    const { models, context } = await stage(['ollama'], options)
    models.ollama!.script(good)
    expect(await ask(context, question)).toMatchObject({ kind: 'answered', provider: 'ollama' })
  })
})

describe('SPEC A.34: models for compiling', () => {
  const written = (purpose: ModelQuestion<unknown>['purpose']) => ({ ...question, purpose })

  it.each([
    ['memories', 'qwen2.5:3b'],
    ['consolidate', 'qwen2.5:3b'],
    ['journal', 'llama3.2:3b'],
    ['wiki', 'llama3.2:3b'],
  ] as const)('%s uses %s', async (purpose, expected) => {
    const { models, context } = await stage(['ollama'], { config: '[models.compile]\nollama = "llama3.2:3b"\n' })
    models.ollama!.script(good)
    expect(await ask(context, written(purpose))).toMatchObject({ kind: 'answered', model: expected })
  })

  it.each(['claude', 'anthropic', 'openai', 'ollama'] as const)('can be set for %s', async (name) => {
    const compile = name === 'ollama' ? 'llama3.2:3b' : 'writer'
    const { models, context } = await stage([name], { config: `[models.compile]\n${name} = "${compile}"\n` })
    setConsent(context.ledger, context.clock, name, 'allowed')
    models[name]!.script(good)
    for (const purpose of ['memories', 'wiki'] as const) await ask(context, written(purpose))
    const [judging, writing] = models[name]!.asked
    expect(writing).toContain(compile)
    expect(judging).not.toContain(compile)
  })

  it('is the model that judges by default', async () => {
    const { models, context } = await stage(['ollama'])
    models.ollama!.script(good)
    expect(await ask(context, written('wiki'))).toMatchObject({ model: 'qwen2.5:3b' })
  })
})

describe('ask: daily limits', () => {
  it('of calls: a free judge takes over, and the state says so', async () => {
    const { models, context } = await allowedClaude('daily_calls = 1\n')
    expect(budgetState(context)).toMatchObject({ usd: 0, calls: 0, isUsedUp: false, steppedDownTo: [] })
    expect(await ask(context, question)).toMatchObject({ provider: 'claude' })
    expect(await ask(context, question)).toMatchObject({ provider: 'ollama' })
    expect(models.claude!.asked).toHaveLength(1)
    expect(budgetState(context)).toEqual({
      usd: 0.00125,
      calls: 1,
      limits: { usd: 0.5, calls: 1 },
      isUsedUp: true,
      steppedDownTo: ['ollama', 'heuristic'],
      shares: {
        memories: { usd: 0.00125, calls: 1, limits: { usd: 0.3, calls: 1 }, isUsedUp: true },
        wiki: { usd: 0, calls: 0, limits: { usd: 0.125, calls: 1 }, isUsedUp: true },
        other: { usd: 0, calls: 0, limits: { usd: 0.075, calls: 1 }, isUsedUp: true },
      },
    })
  })

  it('of money: the estimate is checked before the call', async () => {
    const { models, context } = await allowedClaude('daily_usd = 0.001\n')
    expect(await ask(context, question)).toMatchObject({ provider: 'ollama' })
    expect(models.claude!.asked).toEqual([])
    expect(budgetState(context)).toMatchObject({ usd: 0, isUsedUp: true, steppedDownTo: ['ollama', 'heuristic'] })
  })

  it('are the reason if no provider is left', async () => {
    const { context } = await allowedClaude('daily_usd = 0.001\n', '["claude", "heuristic"]')
    expect(await ask(context, question)).toEqual({
      kind: 'unavailable',
      obstacle: 'budget',
      reasons: [
        {
          provider: 'claude',
          reason: expect.stringMatching(/^\$0\.00\d+ more would exceed the limit of \$0\.0010 a day$/),
        },
      ],
    })
    expect(budgetState(context).steppedDownTo).toEqual(['heuristic'])
  })

  it('hold for concurrent calls', async () => {
    const { models, context } = await allowedClaude('daily_calls = 1\n')
    const answers = await Promise.all([ask(context, question), ask(context, question), ask(context, question)])
    expect(answers.map((answer) => answer.kind === 'answered' && answer.provider).sort()).toEqual([
      'claude',
      'ollama',
      'ollama',
    ])
    expect(models.claude!.asked).toHaveLength(1)
  })

  it('start again at midnight of the zone', async () => {
    const { context } = await allowedClaude('daily_calls = 1\n')
    await ask(context, question)
    const later = (iso: string): ModelContext => ({ ...context, clock: fixedClock(iso) })
    expect(budgetState(later('2026-09-01T23:59:00Z'))).toMatchObject({ calls: 1, isUsedUp: true })
    expect(budgetState(later('2026-09-02T00:01:00Z'))).toMatchObject({ usd: 0, calls: 0, isUsedUp: false })
    expect(await ask(later('2026-09-02T00:01:00Z'), question)).toMatchObject({ provider: 'claude' })
  })

  it('count an unfinished call with its estimate', async () => {
    const { context } = await allowedClaude('daily_calls = 1\n')
    const { ledger, clock, zone } = context
    const estimate = { model: 'haiku', inputTokens: 100, outputTokens: 500, costUsd: 0.01 }
    beginCall(ledger, { at: clock.nowMs(), purpose: 'journal', session: null, provider: 'claude', ...estimate })
    expect(spentToday(ledger, clock, zone)).toEqual({ usd: 0.01, calls: 1 })
    expect(results(context)).toEqual(['not finished'])
    expect(await ask(context, question)).toMatchObject({ provider: 'ollama' })
  })

  it('are not used up by refused calls', async () => {
    const { models, context } = await allowedClaude('daily_calls = 1\n')
    models.claude!.script(status(500), status(500), good)
    expect(await ask(context, question)).toMatchObject({ provider: 'claude' })
    expect(spentToday(context.ledger, context.clock, context.zone)).toEqual({ usd: 0.00125, calls: 1 })
  })

  it('count a timed-out answer with its estimate', async () => {
    const { models, context } = await allowedClaude('')
    models.claude!.script({ kind: 'garbage', text: 'oops' }, good)
    await ask(context, question)
    expect(calls(context)).toEqual([
      expect.objectContaining({ result: 'exit 0', costUsd: expect.closeTo(0.003, 3) }),
      expect.objectContaining({ result: 'ok', costUsd: 0.00125, model: 'claude-haiku-4-5-20251001' }),
    ])
  })

  it('count a model without a known price as expensive', async () => {
    const { context } = await allowedClaude('claude = "unheard-of"\ndaily_usd = 0.03\n', '["claude", "heuristic"]')
    expect(await ask(context, question)).toMatchObject({ kind: 'unavailable' })
  })
})

describe('ask: shares of the daily limits', () => {
  const purposes = ['memories', 'wiki', 'journal', 'consolidate', 'ask'] as const
  const alone = '["claude", "heuristic"]'
  const asked = async (context: ModelContext, purpose: (typeof purposes)[number] | 'try') => {
    const answer = await ask(context, { ...question, purpose })
    return answer.kind === 'answered' ? 'answered' : answer.reasons[0]!.reason
  }

  it.each([
    // Of 10 calls: 6 for memories, 3 for the wiki, 2 for the rest.
    ['calls', 'daily_calls = 10\n', 6, /^the limit of 6 calls a day is reached for memories \(models\.share\)$/],
    // Of $0.02: $0.012 for memories; a call costs $0.00125, the estimate of one is $0.0027.
    [
      'money',
      'daily_usd = 0.02\n',
      8,
      /^\$0\.00\d+ more would exceed the limit of \$0\.01 a day for memories \(models\.share\)$/,
    ],
  ])('of %s: memories cannot use up what is for the wiki and the rest', async (_, config, most, reason) => {
    const { context } = await allowedClaude(config, alone)
    let calls = 0
    let last = await asked(context, 'memories')
    for (; last === 'answered' && calls < 20; calls++) last = await asked(context, 'memories')
    expect(last).toMatch(reason)
    expect(calls).toBe(most)
    expect(budgetState(context)).toMatchObject({ isUsedUp: false, shares: { memories: { isUsedUp: true } } })
    for (const purpose of ['wiki', 'journal', 'consolidate'] as const)
      expect([purpose, await asked(context, purpose)]).toEqual([purpose, 'answered'])
  })

  it('allow the first call of a small share, and none of a share of 0', async () => {
    const { context } = await allowedClaude('daily_usd = 0.02\n[models.share]\nother = 1\nwiki = 0\n', alone)
    expect(await asked(context, 'consolidate')).toBe('answered')
    expect(await asked(context, 'ask')).toMatch(/for other \(models\.share\)$/)
    expect(await asked(context, 'wiki')).toBe('the limit of 0 calls a day is reached for wiki (models.share)')
    expect(await asked(context, 'try')).toBe('answered')
  })

  it('are lifted when the setting is changed', async () => {
    const { context } = await allowedClaude('daily_calls = 4\n[models.share]\nmemories = 25\n', alone)
    await asked(context, 'memories')
    expect(await asked(context, 'memories')).toContain('1 call a day is reached for memories')
    const { models } = context.config
    const raised = {
      ...context,
      config: { ...context.config, models: { ...models, share: { ...models.share, memories: 50 } } },
    }
    expect(budgetState(raised).shares.memories.isUsedUp).toBe(false)
    expect(await asked(raised, 'memories')).toBe('answered')
  })
})

/** Scripted models, asked in this order. */
async function stage(
  names: ('claude' | 'anthropic' | 'openai' | 'ollama')[],
  options: { order?: string; config?: string; env?: Record<string, string> } = {},
) {
  const made = await Promise.all(names.map(async (name) => [name, await modelOf(name)] as const))
  const models = Object.fromEntries(made) as Partial<Record<(typeof names)[number], Model>>
  const at = await place(
    made.map(([, model]) => model),
    { order: JSON.stringify(names), ...options },
  )
  open.at.push(at)
  open.models.push(...made.map(([, model]) => model))
  return { models, ...at }
}

async function allowedClaude(config: string, order = '["claude", "ollama", "heuristic"]') {
  const on = await stage(['claude', 'ollama'], { order, config })
  for (const name of ['claude', 'ollama'] as const) setConsent(on.context.ledger, on.context.clock, name, 'allowed')
  on.models.claude!.script(good)
  on.models.ollama!.script(good)
  return on
}

function calls({ ledger }: ModelContext) {
  return callsSince(ledger, 0)
}

function results(context: ModelContext): string[] {
  return calls(context).map(({ result }) => result)
}
