import { isAbsolute } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createApp, withCircuitBreaker } from './app.ts'
import type { ModelQuestion, ModelResponse } from './models/context.ts'

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

  it('stops when no model is available', async () => {
    const { kinds, asked } = await kindsOf([unavailable, answered])
    expect({ kinds, asked }).toEqual({ kinds: Array(4).fill('unavailable'), asked: 1 })
  })
})
