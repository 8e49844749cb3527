// What judging sessions is expected to cost, from the person's own history: the questions that the
// last sessions would have been.
import { isoTime } from '../../core/clock.ts'
import type { Config } from '../../core/config/config.ts'
import { formatUsd, type Zone } from '../../core/units.ts'
import { modelNameOf } from '../../models/consent.ts'
import type { ModelContext, ProviderName } from '../../models/context.ts'
import { priceUsd } from '../../models/governor.ts'
import { isPaid } from '../../models/pricing-class.ts'
import type { Ledger } from '../../store/ledger.ts'
import { unjudgedSessions } from '../../store/memories/learning.ts'
import { lastWorkSessions, type SpokenSize, spokenSizes } from '../../store/sessions/spoken-sizes.ts'
import { restMs } from '../session-phase.ts'
import { maxConversation, maxPrompt, replyLengthFor } from './question.ts'

/** Questions, and the tokens of all of them. */
export interface QuestionLoad {
  sessions: number
  questions: number
  input: number
  output: number
}

export interface DailyLoad extends QuestionLoad {
  /** Days with sessions that it is the average of; 0 if nothing has been captured. */
  days: number
}

/** `once` for a session that is judged after it has rested several times. */
type JudgingTime = Config['learn']['when'] | 'once'

const maxDays = 14
/** Enough for two weeks of a busy person. */
const maxSessions = 500

/** The average of the last days with sessions. */
export function dailyLoad(ledger: Ledger, zone: Zone, { learn: { when } }: Config): DailyLoad {
  const last = lastWorkSessions(ledger, maxSessions)
  const byDay = [...Map.groupBy(last, ({ endedMs }) => zone.day(isoTime(endedMs)))].slice(0, maxDays)
  const load = loadOf(
    ledger,
    byDay.flatMap(([, sessions]) => sessions.map(({ id }) => id)),
    when,
  )
  const days = Math.max(1, byDay.length)
  return {
    days: byDay.length,
    sessions: load.sessions / days,
    questions: load.questions / days,
    input: load.input / days,
    output: load.output / days,
  }
}

/**
 * Recent sessions that no model has judged, and the questions that they are: one that is allowed
 * judges them with the next sweep.
 */
export function unjudgedLoad({ ledger, clock, config }: Pick<ModelContext, 'ledger' | 'clock' | 'config'>): {
  ids: number[]
  load: QuestionLoad
} {
  const ids = unjudgedSessions(ledger, clock.nowMs() - config.learn.freshDays * 86_400_000)
  const work = lastWorkSessions(ledger, maxSessions).filter(({ id }) => ids.includes(id))
  const when = config.learn.when === 'rest' ? 'once' : 'turn'
  return {
    ids,
    load: loadOf(
      ledger,
      work.map(({ id }) => id),
      when,
    ),
  }
}

function loadOf(ledger: Ledger, sessions: readonly number[], when: JudgingTime): QuestionLoad {
  const load: QuestionLoad = { sessions: sessions.length, questions: 0, input: 0, output: 0 }
  for (const size of spokenSizes(ledger, sessions)) {
    for (const chars of questionsOf(size, when)) {
      load.questions++
      load.input += fixedTokens + chars / charsPerToken
      load.output += answerTokens
    }
  }
  return load
}

/** Instructions, schema, known memories and candidates. */
const fixedTokens = 3000
const answerTokens = 600
const charsPerToken = 3.5
/** Characters of the conversation in each question that a session is judged by. */
function questionsOf({ turns }: SpokenSize, when: JudgingTime): number[] {
  const parts: number[] = []
  const prompts = turns.map(({ prompt }) => Math.min(maxPrompt, prompt))
  const maxReply = replyLengthFor(prompts)
  let spokenMs: number | null = null
  for (const [index, { reply, ts }] of turns.entries()) {
    const chars = prompts[index]! + Math.min(maxReply, reply)
    const isRest = when === 'rest' && spokenMs !== null && ts !== null && ts - spokenMs > restMs
    const isOwn = when === 'turn' || parts.length === 0 || isRest
    if (isOwn || parts.at(-1)! + chars > maxConversation) parts.push(chars)
    else parts[parts.length - 1]! += chars
    spokenMs = ts ?? spokenMs
  }
  return parts
}

export async function loadUsd({ input, output }: QuestionLoad, name: ProviderName, config: Config): Promise<number> {
  return isPaid(name, config) ? priceUsd(modelNameOf(name, config), { input, output }) : 0
}

/** Cost of the question about a session of two hours, before anything was captured. */
const longSession: QuestionLoad = { sessions: 1, questions: 1, input: 16_000, output: answerTokens }

/** In words: "about $0.04 a day". */
export async function dailyCostText(load: DailyLoad, name: ProviderName, config: Config): Promise<string> {
  if (!isPaid(name, config)) return 'free'
  if (load.days === 0) return `${aboutUsd(await loadUsd(longSession, name, config))} per long session`
  return `${aboutUsd(await loadUsd(load, name, config))} a day`
}

/** Rounded to cents: it is an estimate. */
export function aboutUsd(usd: number): string {
  return usd < 0.01 ? 'less than $0.01' : `about ${formatUsd(usd)}`
}
