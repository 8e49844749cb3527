// What it costs to have a model judge real sessions: calls, tokens, the person's share of the input
// and the price, for one question per session and for one per turn. The model is scripted: it
// answers that nothing is worth keeping, with as many tokens as a real answer has.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import type { ModelQuestion, ModelResponse } from '../src/models/context.ts'
import { priceUsd } from '../src/models/governor.ts'
import { sweep } from '../src/sweep.ts'
import { estimateTokens } from '../src/text/tokens.ts'
import { makeHome } from './home.ts'

interface AskedQuestion {
  session: string
  tokens: number
  /** Characters of the person, and of the whole input. */
  person: number
  input: number
}

/** Tokens of an answer with journal entry and memories, and of one with memories alone. */
const [wholeAnswer, turnAnswer] = [500, 150]
const model = 'claude-haiku-4-5'

export async function judge(): Promise<void> {
  const place = makeHome(1)
  try {
    console.log(`${place.source}; a scripted model in place of ${model}`)
    for (const when of ['rest', 'turn'] as const) {
      const asked = await askAll(place.home, when)
      const sessions = [...Map.groupBy(asked, ({ session }) => session)].sort(([, a], [, b]) => sum(b) - sum(a))
      const answer = when === 'rest' ? wholeAnswer : turnAnswer
      await print(`${when}: all ${sessions.length} sessions`, asked, answer)
      const longest = sessions.slice(0, 10).flatMap(([, questions]) => questions)
      await print(`${when}: the ten longest`, longest, answer)
    }
  } finally {
    place.remove()
  }
}

function sum(questions: readonly AskedQuestion[]): number {
  return questions.reduce((total, { person }) => total + person, 0)
}

async function askAll(home: string, when: 'rest' | 'turn'): Promise<AskedQuestion[]> {
  const store = join(home, `store-${when}`)
  mkdirSync(store, { recursive: true })
  const settings = `[learn]\nwhen = "${when}"\nfresh_days = 3650\n[models]\norder = ["ollama", "heuristic"]\n`
  writeFileSync(join(store, 'config.toml'), settings)
  const app = createApp({ machine: { home, env: { RECOLLECT_HOME: store }, platform: 'linux' } })
  const asked: AskedQuestion[] = []
  const ask = async <T>(question: ModelQuestion<T>): Promise<ModelResponse<T>> => {
    if (question.purpose !== 'memories') return { kind: 'unavailable', reasons: [] }
    const { session, system, text, personShare = 0, schema } = question
    asked.push({
      session: session!,
      tokens: estimateTokens(system + text),
      person: personShare * text.length,
      input: system.length + text.length,
    })
    return { kind: 'answered', value: schema.parse({ memories: [] }), provider: 'ollama', model, costUsd: 0 }
  }
  await sweep({ ...app, context: (ledger) => ({ ...app.context(ledger), ask }) })
  return asked
}

async function print(title: string, asked: readonly AskedQuestion[], output: number): Promise<void> {
  const input = asked.reduce((total, { tokens }) => total + tokens, 0)
  const share = sum(asked) / asked.reduce((total, one) => total + one.input, 0)
  const usd = await priceUsd(model, { input, output: output * asked.length })
  console.log(
    `${title}: ${asked.length} calls, ${input} tokens in, ${(100 * share).toFixed(1)} % the person's words, $${usd.toFixed(3)}`,
  )
}
