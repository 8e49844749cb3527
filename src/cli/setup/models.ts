import { Argument, type Command } from 'commander'
import { type App, createApp } from '../../app.ts'
import { type JudgeName, judgeNames } from '../../core/config/settings.ts'
import { formatUsd, plural } from '../../core/units.ts'
import { waitingLines, waitingQuestions } from '../../learn/model/waiting-questions.ts'
import type { ListedModel, Trial } from '../../models/check-models.ts'
import type { ModelContext, ProviderName } from '../../models/context.ts'
import { type BudgetState, budgetState } from '../../models/governor.ts'
import { deleteAllDeadLetters } from '../../store/memories/dead-letters.ts'
import { type CommandContext, examples } from '../command.ts'
import { type Terminal, table } from '../terminal.ts'
import { type RejudgeOptions, rejudge } from './choose-judge.ts'

interface Options {
  json?: boolean
}

export function addModels(cli: CommandContext): void {
  const { program, terminal } = cli
  const models = program
    .command('models')
    .description('List, allow, deny or test the models that judge sessions')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect models',
        'recollect models allow claude',
        'recollect models try ollama',
        'recollect cost --judge',
      ),
    )
    .action((options: Options) =>
      withModels(async (context) => {
        const { listModels } = await import('../../models/check-models.ts')
        const listed = await listModels(context)
        const budget = budgetState(context)
        const waiting = waitingQuestions(context.ledger)
        if (options.json) return terminal.json({ models: listed, budget, waiting: waiting ?? null })
        terminal.print(modelTable(listed, terminal.columns))
        terminal.say(budgetText(budget))
        if (waiting) for (const line of waitingLines(waiting, context.zone)) terminal.say(line)
        for (const line of await choiceLines(context)) terminal.say(line)
      }),
    )
  addAllow(models, cli)
  addDeny(models, cli)
  addTry(models, cli)
}

function judgeArgument(): Argument {
  return new Argument('<name>', 'Name of the model').choices(judgeNames.filter((name) => name !== 'heuristic'))
}

function addAllow(models: Command, { terminal }: CommandContext): void {
  models
    .command('allow')
    .description('Allow a model, within the limits of config.toml')
    .addArgument(judgeArgument())
    .option('--yes', 'Also judge the sessions of the last days now, without asking')
    .option('--no-rejudge', 'Leave sessions that rules have judged as they are')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect models allow claude', 'recollect models allow claude --no-rejudge'))
    .action(async (name: JudgeName, options: Options & RejudgeOptions) => {
      const before = createApp().config.models
      await withModels(async (context, { layout }) => {
        const { allowJudge, judgeChoices } = await import('../../models/judge-choice.ts')
        const [choice] = name === 'ollama' || name === 'openai' ? await judgeChoices(context, [name]) : []
        allowJudge({ ...context, configPath: layout.config }, name, choice?.settings)
      })
      const app = createApp() // the order in config.toml may have changed
      const { dailyUsd, dailyCalls, order } = app.config.models
      if (!options.json) {
        const limits = `at most ${formatUsd(dailyUsd)} and ${plural(dailyCalls, 'paid call')} a day`
        terminal.print(`${name} is allowed, ${limits}.`)
        if (String(order) !== String(before.order)) terminal.say(`Judges, in this order: ${order.join(', ')}`)
        if (name === 'claude-fork') terminal.say(forkNotice)
      }
      const plan = await rejudge(app, terminal, options)
      if (options.json) terminal.json({ name, consent: 'allowed', rejudge: plan })
    })
}

function addDeny(models: Command, { terminal }: CommandContext): void {
  models
    .command('deny')
    .description('Never use a model')
    .addArgument(judgeArgument())
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect models deny claude'))
    .action((name: JudgeName, options: Options) =>
      withModels(async (context) => {
        const { ledger, clock } = context
        const { isAnyModelAllowed, setConsent } = await import('../../models/consent.ts')
        setConsent(ledger, clock, name, 'refused')
        const ended = isAnyModelAllowed(context) ? 0 : deleteAllDeadLetters(ledger)
        if (options.json) return terminal.json({ name, consent: 'refused' })
        if (ended > 0) terminal.say(`No model is allowed: ${plural(ended, 'question')} no longer waiting for one.`)
        terminal.print(`${name} is denied.`)
      }),
    )
}

/** The fork resumes the session of Claude Code itself, which Recollect cannot redact. */
const forkNotice = `It resumes the session as Claude Code stored it: secrets in it are not removed.
They go to the model that has read them before.`

function addTry(models: Command, { terminal, exit }: CommandContext): void {
  models
    .command('try')
    .description('Ask a model a short question to test it')
    .addArgument(new Argument('<name>', 'Name of the model').choices(['claude', 'anthropic', 'openai', 'ollama']))
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect models try claude', 'recollect models try ollama --json'))
    .action((name: ProviderName, options: Options) =>
      withModels(async (context) => {
        const { tryModel } = await import('../../models/check-models.ts')
        const trial = await tryModel(context, name)
        if (trial.answer.kind !== 'answered') exit(trial.answer.kind === 'unavailable' ? 1 : 3)
        if (options.json) return terminal.json({ name, ...trial, answer: answerJson(trial.answer) })
        printTrial(terminal, name, trial)
      }),
    )
}

/** The JSON keeps the word "nobody" of the first version: scripts read it. */
function answerJson(answer: Trial['answer']): object {
  return answer.kind === 'unavailable' ? { ...answer, kind: 'nobody' } : answer
}

async function withModels(use: (context: ModelContext, app: App) => Promise<void>): Promise<void> {
  const app = createApp()
  const ledger = app.ledger()
  try {
    const { modelContext } = await import('../../models/context.ts')
    await use(await modelContext({ ...app, ledger }), app)
  } finally {
    ledger.close()
  }
}

function modelTable(listed: ListedModel[], width: number): string {
  return table(
    [
      { title: 'judge' },
      { title: 'available' },
      { title: 'model or problem', isFlexible: true },
      { title: 'cost', rank: 1 },
      { title: 'allowed' },
      { title: 'today', align: 'right', rank: 2 },
    ],
    listed.map((model) => [
      model.name,
      model.isThere ? 'yes' : 'no',
      model.isReached ? model.detail : 'never used: it comes after heuristic in models.order',
      model.isPaid ? 'paid' : 'free',
      allowedText(model),
      model.isPaid ? `${formatUsd(model.today.usd)}, ${plural(model.today.calls, 'call')}` : '',
    ]),
    width,
  )
}

function allowedText({ consent, isAllowed }: ListedModel): string {
  if (consent === 'refused') return 'no'
  return isAllowed ? 'yes' : 'not yet'
}

/** What else could judge, and what it would cost. */
async function choiceLines(context: ModelContext): Promise<string[]> {
  const { judgeChoices, undecidedProviders, withSettings } = await import('../../models/judge-choice.ts')
  const { dailyCostText, dailyLoad } = await import('../../learn/model/forecast.ts')
  const { ledger, zone, config } = context
  const choices = await judgeChoices(context, undecidedProviders(context))
  if (choices.length === 0) return []
  const load = dailyLoad(ledger, zone, config)
  const lines = choices.map(async ({ name, model, settings }) => {
    const cost = await dailyCostText(load, name, withSettings(config, settings))
    return `To use ${name} (${model}, ${cost}): recollect models allow ${name}`
  })
  return Promise.all(lines)
}

function budgetText({ usd, calls, limits, isUsedUp, steppedDownTo, shares }: BudgetState): string {
  const spent = `Today ${formatUsd(usd)} of ${formatUsd(limits.usd)}, ${calls} of ${plural(limits.calls, 'call')}.`
  const used = Object.entries(shares).flatMap(([name, share]) => (share.isUsedUp ? [name] : []))
  if (!isUsedUp && used.length > 0) return `${spent} Used up until midnight: the share for ${used.join(' and ')}.`
  if (!isUsedUp) return spent
  return `${spent} The limit is reached; until midnight: ${steppedDownTo.join(', else ') || 'none'}.`
}

function printTrial({ print, say }: Terminal, name: ProviderName, { answer, ms }: Trial): void {
  if (answer.kind !== 'answered') {
    for (const { reason } of answer.reasons) say(`${name} did not answer: ${reason}`)
    return
  }
  print(`${answer.model} answered 2 + 3 = ${answer.value.sum} in ${ms} ms for ${formatUsd(answer.costUsd)}`)
}
