import { isAbsolute } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createApp, withCircuitBreaker, withForkBreaker } from './app.ts'
import type { ModelQuestion, ModelResponse } from './models/context.ts'
import type { ForkQuestion } from './models/fork/ask-fork.ts'

afterEach(() => vi.unstubAllEnvs())

it.each(['', 'dev/home'])('never keeps its files in the folder it runs in: HOME=%s', (home) => {
  vi.stubEnv('HOME', home)
  vi.stubEnv('RECOLLECT_HOME', '')
  expect(isAbsolute(createApp({ ignoresConfig: true }).layout.root)).toBe(true)
})

describe('withCircuitBreaker', () => {
  const question = {} as ModelQuestion<string>
  const answered: ModelResponse<string> = { kind: 'answered', value: 'yes', provider: 'ollama', model: 'm', costUsd: 0 }
  const failed: ModelResponse<string> = { kind: 'failed', reasons: [] }
  const unavailable: ModelResponse<string> = { kind: 'unavailable', reasons: [] }

  const kindsOf = async (responses: ModelResponse<string>[]) => {
    let asked = 0
    const ask = withCircuitBreaker(async <T>() => responses[asked++] as ModelResponse<T>)
    const kinds: string[] = []
    for (let turn = 0; turn < 4; turn++) kinds.push((await ask(question)).kind)
    return { kinds, asked }
  }

  it('asks again after one failure', async () => {
    const { kinds, asked } = await kindsOf([failed, answered, answered, answered])
    expect({ kinds, asked }).toEqual({ kinds: ['failed', 'answered', 'answered', 'answered'], asked: 4 })
  })

  it('stops after two failures', async () => {
    const { kinds, asked } = await kindsOf([failed, answered, failed, answered])
    expect({ kinds, asked }).toEqual({ kinds: ['failed', 'answered', 'failed', 'unavailable'], asked: 3 })
  })

  it('SPEC A.22: tells that the rest was not asked, and why', async () => {
    const refused: ModelResponse<string> = { kind: 'unavailable', reasons: [], obstacle: 'access' }
    const obstacles = async (responses: ModelResponse<string>[]) => {
      let asked = 0
      const ask = withCircuitBreaker(async <T>() => responses[asked++] as ModelResponse<T>)
      const last = async () => (await ask(question)) as { obstacle?: string }
      for (let turn = 0; turn < 2; turn++) await last()
      return { obstacle: (await last()).obstacle, asked }
    }
    expect(await obstacles([failed, failed, answered])).toEqual({ obstacle: 'outage', asked: 2 })
    // One refusal may be about one request, so a second one is needed.
    expect(await obstacles([refused, answered, answered])).toEqual({ obstacle: undefined, asked: 3 })
    expect(await obstacles([refused, refused, answered])).toEqual({ obstacle: 'access', asked: 2 })
    const budget: ModelResponse<string> = { kind: 'unavailable', reasons: [], obstacle: 'budget' }
    expect(await obstacles([budget, answered, answered])).toEqual({ obstacle: 'budget', asked: 1 })
  })

  it('SPEC A.22: a used-up share of the budget stops only the questions of its purpose', async () => {
    const over: ModelResponse<string> = { kind: 'unavailable', reasons: [], obstacle: 'budget' }
    const asked: string[] = []
    const ask = withCircuitBreaker(async <T>({ purpose }: ModelQuestion<T>) => {
      asked.push(purpose)
      return (purpose === 'memories' ? over : answered) as ModelResponse<T>
    })
    for (const purpose of ['memories', 'memories', 'wiki', 'memories'] as const) await ask({ ...question, purpose })
    expect(asked).toEqual(['memories', 'wiki'])
  })

  it('stops when no model is available', async () => {
    const { kinds, asked } = await kindsOf([unavailable, answered])
    expect({ kinds, asked }).toEqual({ kinds: Array(4).fill('unavailable'), asked: 1 })
  })
})

it('SPEC C.6: withForkBreaker stops after two failed forks, and says that the others were not asked', async () => {
  let asked = 0
  const fork = withForkBreaker(async () => {
    asked++
    return { kind: 'failed', reason: 'http 500' }
  })
  for (let turn = 0; turn < 2; turn++) await fork({} as ForkQuestion)
  expect(await fork({} as ForkQuestion)).toEqual({ kind: 'unavailable', reason: 'http 500', obstacle: 'outage' })
  expect(asked).toBe(2)
})
