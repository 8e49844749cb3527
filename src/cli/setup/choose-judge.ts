// Asks once which model decides what is worth remembering, with what it is expected to cost. A model
// is never chosen silently: Enter is none, and without a terminal only `--judge` chooses.
import { type App, createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { formatUsd, plural } from '../../core/units.ts'
import type { DailyLoad } from '../../learn/model/forecast.ts'
import type { ModelContext } from '../../models/context.ts'
import type { JudgeChoice } from '../../models/judge-choice.ts'
import type { Ledger } from '../../store/ledger.ts'
import { skipJudging } from '../../store/memories/learning.ts'
import { sweep } from '../../sweep.ts'
import { ellipsize } from '../../text/truncate.ts'
import { ledgerUnlessDamaged } from '../command.ts'
import { answerOrEnd, askYesNo, isInteractive } from '../prompts.ts'
import type { Terminal } from '../terminal.ts'

export const judgeOption = ['--judge <name>', 'Let claude, ollama, anthropic, openai or none judge sessions'] as const

export interface JudgeOptions {
  judge?: string
  json?: boolean
}

/** Asks unless somebody has decided, or takes the decision of the option. */
export async function offerJudge(app: App, terminal: Terminal, options: JudgeOptions): Promise<void> {
  if (!(await isJudgeChosen(app, terminal, options))) return
  // The choice may have changed config.toml.
  const changed = createApp({ machine: app.machine, clock: app.clock, configPath: app.layout.config })
  await rejudge(changed, terminal, options)
}

/** Offers to judge the sessions of the last days, and does so if the person agrees. */
export async function rejudge(
  app: App,
  terminal: Terminal,
  options: RejudgeOptions & { json?: boolean },
): Promise<RejudgePlan> {
  const { modelContext } = await import('../../models/context.ts')
  const ledger = app.ledger()
  let plan: RejudgePlan
  try {
    plan = await offerRejudge(await modelContext({ ...app, ledger }), terminal, options)
  } finally {
    ledger.close()
  }
  if (plan.when === 'next sweep' && !options.json) terminal.say('The next sweep judges them: recollect sweep')
  if (plan.when !== 'now') return plan
  if (!options.json) terminal.say('Judging them. Ctrl-C stops it; the next sweep continues.')
  const result = await sweep(app)
  if (result.kind === 'busy') terminal.say('Another sweep is running; the next one judges them.')
  else if (!options.json)
    terminal.say(`${plural(result.report.learned, 'memory', 'memories')} kept: recollect memories`)
  return plan
}

/** True if a model was chosen. */
async function isJudgeChosen(app: App, terminal: Terminal, options: JudgeOptions): Promise<boolean> {
  if (options.judge === undefined && (options.json || !isInteractive())) return false
  const { isJudgeUndecided } = await import('../../models/judge-choice.ts')
  const ledger = ledgerUnlessDamaged(app)
  if (!ledger) return false
  try {
    if (options.judge === undefined && !isJudgeUndecided({ ...app, ledger })) return false
    return await decide(app, ledger, terminal, options)
  } finally {
    ledger.close()
  }
}

/** True if a model was chosen. */
async function decide(app: App, ledger: Ledger, terminal: Terminal, options: JudgeOptions): Promise<boolean> {
  const { chooseJudge, chooseNoJudge, judgeChoices } = await import('../../models/judge-choice.ts')
  const { modelContext } = await import('../../models/context.ts')
  const decision = { ...app, ledger, configPath: app.layout.config }
  const choices = await judgeChoices(await modelContext({ ...app, ledger }))
  const chosen =
    options.judge === undefined
      ? await askForChoice(app, ledger, terminal, choices)
      : choiceNamed(options.judge, choices)
  if (chosen === undefined) return false
  if (chosen === 'none') {
    chooseNoJudge(decision)
    terminal.say('No model judges: rules propose candidates, and you keep them.')
    terminal.say('To review them: recollect memories review. To choose a model: recollect models')
    return false
  }
  chooseJudge(decision, chosen)
  terminal.say(`${chosen.name} (${chosen.model}) judges sessions from now on. To change it: recollect models`)
  return true
}

/** Undefined if the person did not answer, and is to be asked again another time. */
async function askForChoice(
  { config, zone }: App,
  ledger: Ledger,
  { say }: Terminal,
  choices: readonly JudgeChoice[],
): Promise<JudgeChoice | 'none' | undefined> {
  if (choices.length === 0) return undefined
  const { dailyLoad } = await import('../../learn/model/forecast.ts')
  for (const line of await dialogueLines(choices, dailyLoad(ledger, zone, config), config)) say(line)
  for (;;) {
    const answer = await answerOrEnd(`${numbersText(choices.length)}, Enter = none (to change it: recollect models): `)
    if (answer === undefined) return undefined
    const chosen = parseChoice(answer, choices)
    if (chosen) return chosen
    say(`"${answer.trim()}" is none of them.`)
  }
}

function numbersText(count: number): string {
  return count === 1 ? '1' : `1 to ${count}`
}

/** What is sent to whom and what it costs, in lines of 80 columns. */
export async function dialogueLines(
  choices: readonly JudgeChoice[],
  load: DailyLoad,
  config: App['config'],
): Promise<string[]> {
  const { dailyCostText } = await import('../../learn/model/forecast.ts')
  const { withSettings } = await import('../../models/judge-choice.ts')
  const rows = choices.map(async ({ name, model, others, receiver, settings }, index) => {
    const cost = await dailyCostText(load, name, withSettings(config, settings))
    const more = others.length > 0 ? `; or ${others.map((other) => `${name}:${other}`).join(', ')}` : ''
    return ellipsize(`  ${index + 1}  ${name}: ${model}, ${receiver}; ${cost}${more}`, 80)
  })
  return [
    'Which model may decide what is worth remembering? After each session it gets',
    'your words and the beginning of each reply, without secrets.',
    ...(await Promise.all(rows)),
    `At most ${formatUsd(config.models.dailyUsd)} a day. Without one, you decide: recollect memories review`,
  ]
}

/** A number, a name, `name:model`, or nothing for none; undefined for anything else. */
export function parseChoice(answer: string, choices: readonly JudgeChoice[]): JudgeChoice | 'none' | undefined {
  const text = answer.trim()
  if (text === '' || text === '0' || /^(?:none|no|n)$/i.test(text)) return 'none'
  const [name = '', ...rest] = text.split(':')
  const model = rest.join(':')
  const choice = choices[Number(name) - 1] ?? choices.find((one) => one.name === name.toLowerCase())
  if (!choice || model === '') return choice
  const isKnown = choice.model === model || choice.others.includes(model) || choice.name !== 'ollama'
  const value = choice.name === 'ollama' ? [model] : model
  return isKnown ? { ...choice, model, settings: { ...choice.settings, [choice.name]: value } } : undefined
}

function choiceNamed(judge: string, choices: readonly JudgeChoice[]): JudgeChoice | 'none' {
  const chosen = judge === '' ? undefined : parseChoice(judge, choices)
  if (chosen) return chosen
  const known = [...choices.map(({ name }) => name), 'none']
  throw new UserError(`${judge} cannot judge here`, `Available: ${known.join(', ')}. To see why: recollect models`)
}

export interface RejudgeOptions {
  yes?: boolean
  /** False with `--no-rejudge`. */
  rejudge?: boolean
}

export interface RejudgePlan {
  sessions: number
  usd: number
  /** `now`, with the next sweep, or not at all. */
  when: 'now' | 'next sweep' | 'never'
}

/**
 * A model that was just allowed judges the sessions of the last days, too. Says what that costs and
 * asks; without a terminal they wait for the next sweep.
 */
export async function offerRejudge(
  context: ModelContext,
  terminal: Terminal,
  options: RejudgeOptions & { json?: boolean },
): Promise<RejudgePlan> {
  const [{ loadUsd, unjudgedLoad }, { firstAllowedProvider }, { budgetState }] = await Promise.all([
    import('../../learn/model/forecast.ts'),
    import('../../models/consent.ts'),
    import('../../models/governor.ts'),
  ])
  const name = firstAllowedProvider(context)
  const { ids, load } = unjudgedLoad(context)
  const usd = name ? await loadUsd(load, name, context.config) : 0
  const plan = { sessions: load.sessions, usd }
  if (options.rejudge === false) skipJudging(context.ledger, ids)
  // A fork has no price before it runs; it judges them with the next sweep.
  const isNothing = load.sessions === 0 || !context.config.learn.isOn
  if (!name || isNothing || options.rejudge === false) return { ...plan, when: name ? 'never' : 'next sweep' }
  const { limits } = budgetState(context).shares.memories
  if (!options.json) for (const line of rejudgeLines(plan, load.questions, context, limits)) terminal.say(line)
  if (options.yes) return { ...plan, when: 'now' }
  if (options.json || !isInteractive()) return { ...plan, when: 'next sweep' }
  if (await askYesNo('Judge them now?')) return { ...plan, when: 'now' }
  skipJudging(context.ledger, ids)
  return { ...plan, when: 'never' }
}

function rejudgeLines(
  { sessions, usd }: Pick<RejudgePlan, 'sessions' | 'usd'>,
  questions: number,
  { config }: ModelContext,
  limits: { usd: number; calls: number },
): string[] {
  const days = plural(config.learn.freshDays, 'day')
  const cost = usd === 0 ? 'at no cost' : usd < 0.01 ? 'for less than $0.01' : `for about ${formatUsd(usd)}`
  const isMore = usd > limits.usd || (usd > 0 && questions > limits.calls)
  return [
    `It can judge ${plural(sessions, 'session')} of the last ${days} in ${plural(questions, 'call')}, ${cost}.`,
    ...(isMore
      ? [`A day has ${formatUsd(limits.usd)} and ${plural(limits.calls, 'call')} for it; the rest waits.`]
      : []),
  ]
}
