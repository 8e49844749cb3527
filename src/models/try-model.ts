// A tiny question to one provider, for a person who wants to see whether it answers.
import * as z from 'zod'
import { ask } from './ask.ts'
import type { Answer, ModelContext, ProviderName } from './model.ts'

export interface Trial {
  answer: Answer<{ sum: number }>
  ms: number
}

export async function tryModel(context: ModelContext, name: ProviderName): Promise<Trial> {
  const { config } = context
  const alone = { ...context, config: { ...config, models: { ...config.models, order: [name] } } }
  const beganAt = performance.now()
  const answer = await ask(alone, {
    purpose: 'try',
    session: null,
    system: 'You add up.',
    text: 'What is 2 + 3?',
    schema: z.object({ sum: z.number() }),
    maxOutputTokens: 100,
  })
  return { answer, ms: Math.round(performance.now() - beganAt) }
}
