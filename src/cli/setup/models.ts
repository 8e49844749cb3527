import { Argument, type Command } from 'commander'
import { type App, createApp } from '../../app.ts'
import { type JudgeName, judgeNames } from '../../core/config.ts'
import { formatUsd, plural } from '../../core/units.ts'
import type { ListedModel, Trial } from '../../models/check-models.ts'
import type { ModelContext, ProviderName } from '../../models/context.ts'
import { type BudgetState, budgetState } from '../../models/governor.ts'
import { type CommandContext, examples } from '../command.ts'
import { type Terminal, table } from '../terminal.ts'

interface Options {
  json?: boolean
}

export function addModels(cli: CommandContext): void {
  const { program, terminal } = cli
  const models = program
    .command('models')
    .description('who judges what is worth remembering: which models are there, allowed, and paid for')
    .option('--json', 'as JSON')
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
        if (options.json) return terminal.json({ models: listed, budget })
        terminal.print(modelTable(listed, terminal.columns))
        terminal.say(budgetText(budget))
        for (const { name } of listed.filter(isWaiting)) terminal.say(`To use it: recollect models allow ${name}`)
      }),
    )
  addDecision(models, cli, 'allow', 'let a model be asked, within the limits of config.toml', 'allowed')
  addDecision(models, cli, 'deny', 'never ask this model', 'refused')
  addTry(models, cli)
}

function addDecision(
  models: Command,
  { terminal }: CommandContext,
  word: string,
  description: string,
  consent: 'allowed' | 'refused',
): void {
  models
    .command(word)
    .description(description)
    .addArgument(new Argument('<name>', 'which one').choices(judgeNames.filter((name) => name !== 'heuristic')))
    .option('--json', 'as JSON')
    .addHelpText('after', examples(`recollect models ${word} claude`))
    .action((name: JudgeName, options: Options) =>
      withModels(async ({ ledger, clock, config }) => {
        const { setConsent } = await import('../../models/consent.ts')
        setConsent(ledger, clock, name, consent)
        if (options.json) return terminal.json({ name, consent })
        const { dailyUsd, dailyCalls, order } = config.models
        const limits = `at most ${formatUsd(dailyUsd)} and ${plural(dailyCalls, 'call')} a day`
        terminal.print(consent === 'allowed' ? `${name} is allowed, ${limits}.` : `${name} is not asked.`)
        if (consent === 'allowed' && !order.includes(name))
          terminal.say(`It is not asked yet: it does not stand in models.order (${order.join(', ')}) of config.toml.`)
      }),
    )
}

function addTry(models: Command, { terminal, exit }: CommandContext): void {
  models
    .command('try')
    .description('ask a model a tiny question, and see its answer, time and cost')
    .addArgument(new Argument('<name>', 'which one').choices(['claude', 'anthropic', 'openai', 'ollama']))
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect models try claude', 'recollect models try ollama --json'))
    .action((name: ProviderName, options: Options) =>
      withModels(async (context) => {
        const { tryModel } = await import('../../models/check-models.ts')
        const trial = await tryModel(context, name)
        if (trial.answer.kind !== 'answered') exit(trial.answer.kind === 'nobody' ? 1 : 3)
        if (options.json) return terminal.json({ name, ...trial })
        printTrial(terminal, name, trial)
      }),
    )
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
      { title: 'there' },
      { title: 'model, or why not', isFlexible: true },
      { title: 'costs' },
      { title: 'allowed' },
      { title: 'today', align: 'right' },
    ],
    listed.map((model) => [
      model.name,
      model.isThere ? 'yes' : 'no',
      model.isReached ? model.detail : 'never asked: it stands behind heuristic',
      model.isPaid ? 'money' : 'nothing',
      allowedText(model),
      model.isPaid ? `${formatUsd(model.today.usd)}, ${plural(model.today.calls, 'call')}` : '',
    ]),
    width,
  )
}

function allowedText({ consent, isPaid }: ListedModel): string {
  if (consent === 'refused') return 'no'
  return consent === 'allowed' || !isPaid ? 'yes' : 'not yet'
}

function isWaiting({ isThere, isPaid, isReached, consent }: ListedModel): boolean {
  return isThere && isPaid && isReached && consent === 'not asked'
}

function budgetText({ usd, calls, limits, isUsedUp, steppedDownTo }: BudgetState): string {
  const spent = `Today ${formatUsd(usd)} of ${formatUsd(limits.usd)}, ${calls} of ${plural(limits.calls, 'call')}.`
  if (!isUsedUp) return spent
  return `${spent} The limit is reached: ${steppedDownTo.join(', else ') || 'nobody'} goes on until midnight.`
}

function printTrial({ print, say }: Terminal, name: ProviderName, { answer, ms }: Trial): void {
  if (answer.kind !== 'answered') {
    for (const { reason } of answer.reasons) say(`${name} did not answer: ${reason}`)
    return
  }
  print(`2 + 3 = ${answer.value.sum}, says ${answer.model} after ${ms} ms, for ${formatUsd(answer.costUsd)}`)
}
