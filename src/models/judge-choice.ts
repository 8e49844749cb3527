// The choice of the model that judges sessions: which ones this machine has, and what was decided. A
// person is asked once; the answer is consent, and where needed a line in config.toml.
import { type Clock, isoTime } from '../core/clock.ts'
import type { Config } from '../core/config/config.ts'
import type { JudgeName } from '../core/config/settings.ts'
import { judgeNames } from '../core/config/settings.ts'
import { type WrittenValue, writeSettings } from '../core/config/write-settings.ts'
import { readValue, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { consentOf, isAnyModelAllowed, mayBeAsked, setConsent } from './consent.ts'
import type { ModelContext, ProviderName } from './context.ts'
import { isPaid } from './pricing-class.ts'

export interface JudgeChoice {
  name: ProviderName
  /** The model that would judge, and others to choose from. */
  model: string
  others: string[]
  /** Who gets the text, and on whose account. */
  receiver: string
  isPaid: boolean
  /** Settings that using it takes. */
  settings: Record<string, WrittenValue>
}

/** In the order of the dialogue. */
const allProviders: readonly ProviderName[] = ['claude', 'ollama', 'anthropic', 'openai']

/** The models that can be chosen on this machine; asks programs and servers. */
export async function judgeChoices(
  context: ModelContext,
  names: readonly ProviderName[] = allProviders,
): Promise<JudgeChoice[]> {
  const found = await Promise.all(names.map((name) => finders[name](context)))
  return found.flatMap((one) =>
    one ? [{ ...one, isPaid: isPaid(one.name, withSettings(context.config, one.settings)) }] : [],
  )
}

const finders: Record<ProviderName, (context: ModelContext) => FoundChoice | Promise<FoundChoice>> = {
  claude: claudeChoice,
  ollama: ollamaChoice,
  anthropic: anthropicChoice,
  openai: openaiChoice,
}

type FoundChoice = Omit<JudgeChoice, 'isPaid'> | undefined

async function claudeChoice(context: ModelContext): Promise<FoundChoice> {
  const { isSignedIn } = await import('./providers/claude.ts')
  if ((await isSignedIn(context)) === false) return undefined
  const model = context.config.models.claude
  return { name: 'claude', model, others: [], receiver: 'Anthropic, with your Claude Code', settings: {} }
}

async function ollamaChoice(context: ModelContext): Promise<FoundChoice> {
  const { installedModels, urlOf } = await import('./providers/ollama.ts')
  const installed = (await installedModels(context))?.filter((name) => !/embed|minilm|bge-/i.test(name)) ?? []
  const wanted = context.config.models.ollama
  const isWanted = (name: string) => wanted.includes(name) || wanted.includes(name.replace(/:latest$/, ''))
  const model = wanted.find((name) => installed.includes(name)) ?? installed.find(isWanted) ?? installed[0]
  if (model === undefined) return undefined
  const others = installed.filter((name) => name !== model)
  const settings = isWanted(model) ? {} : { ollama: [model] }
  return { name: 'ollama', model, others, receiver: new URL(urlOf(context)).host, settings }
}

function anthropicChoice({ config, machine }: ModelContext): FoundChoice {
  if (!machine.env.ANTHROPIC_API_KEY) return undefined
  const { anthropic: model } = config.models
  return { name: 'anthropic', model, others: [], receiver: 'Anthropic, with ANTHROPIC_API_KEY', settings: {} }
}

/** Used if there is a key and no endpoint in config.toml. */
const openaiDefaults = { openai_url: 'https://api.openai.com/v1', openai: 'gpt-5-mini' }

function openaiChoice({ config, machine }: ModelContext): FoundChoice {
  const { openaiUrl, openai } = config.models
  if (openaiUrl && openai)
    return { name: 'openai', model: openai, others: [], receiver: new URL(openaiUrl).host, settings: {} }
  if (openaiUrl || openai || !machine.env.OPENAI_API_KEY) return undefined
  const receiver = 'OpenAI, with OPENAI_API_KEY'
  return { name: 'openai', model: openaiDefaults.openai, others: [], receiver, settings: { ...openaiDefaults } }
}

/** The configuration as it is after the choice. */
export function withSettings(config: Config, settings: JudgeChoice['settings']): Config {
  const { openai_url: openaiUrl, ...others } = settings
  const models = { ...config.models, ...others, ...(openaiUrl ? { openaiUrl: String(openaiUrl) } : {}) }
  return { ...config, models: models as Config['models'] }
}

const note = 'judge chosen'

/** Models that nobody has decided about. */
export function undecidedProviders(context: Pick<ModelContext, 'ledger' | 'config' | 'machine'>): ProviderName[] {
  return allProviders.filter((name) => consentOf(context.ledger, name) === 'not asked' && !mayBeAsked(context, name))
}

/** Nobody has decided about any model, and none is allowed without a decision. */
export function isJudgeUndecided(context: Pick<ModelContext, 'ledger' | 'config' | 'machine'>): boolean {
  const { ledger, config } = context
  if (!config.learn.isOn || config.models.order[0] === 'heuristic' || config.models.order.length === 0) return false
  if (readValue(ledger, note) !== undefined || isAnyModelAllowed(context)) return false
  return judgeNames.every((name) => consentOf(ledger, name) === 'not asked')
}

interface DecisionContext {
  ledger: Ledger
  clock: Clock
  config: Config
  machine: ModelContext['machine']
  /** Path of config.toml. */
  configPath: string
}

/** Allows the choice and puts it before all others that are allowed. */
export function chooseJudge(context: DecisionContext, { name, settings }: JudgeChoice): void {
  const { config } = context
  const others = allowedJudges(context).filter((one) => one !== name)
  const isFirst = isReached(config, name) && others.every((one) => isBefore(config, name, one))
  writeOrder(context, isFirst ? undefined : [name, ...others], settings)
  setConsent(context.ledger, context.clock, name, 'allowed')
  recordDecision(context, name)
}

/** Allows a model that others may come before. */
export function allowJudge(context: DecisionContext, name: JudgeName, settings?: JudgeChoice['settings']): void {
  const others = allowedJudges(context).filter((one) => one !== name)
  writeOrder(context, isReached(context.config, name) ? undefined : [...others, name], settings)
  setConsent(context.ledger, context.clock, name, 'allowed')
}

function allowedJudges(context: DecisionContext): JudgeName[] {
  return context.config.models.order.filter((name) => name !== 'heuristic' && mayBeAsked(context, name))
}

function isReached({ models: { order } }: Config, name: JudgeName): boolean {
  return order.includes(name) && isBefore({ models: { order } }, name, 'heuristic')
}

function isBefore({ models: { order } }: { models: Pick<Config['models'], 'order'> }, a: JudgeName, b: JudgeName) {
  return !order.includes(b) || order.indexOf(a) < order.indexOf(b)
}

/** Only with judges that are allowed: Ollama in an order of one's own counts as chosen. */
function writeOrder(
  { config, configPath }: DecisionContext,
  judges: JudgeName[] | undefined,
  settings: JudgeChoice['settings'] = {},
): void {
  const rules: JudgeName[] = config.models.order.includes('heuristic') ? ['heuristic'] : []
  const order = judges && [...judges, ...rules]
  const values = { ...settings, ...(order ? { order } : {}) }
  writeSettings(configPath, 'models', values, ({ models }) => !order || String(models.order) === String(order))
}

/** Denies what is allowed, and is not asked again. */
export function chooseNoJudge(context: DecisionContext): void {
  const { ledger, clock, config } = context
  for (const name of config.models.order)
    if (name !== 'heuristic' && mayBeAsked(context, name)) setConsent(ledger, clock, name, 'refused')
  recordDecision(context, 'none')
}

function recordDecision({ ledger, clock }: DecisionContext, judge: ProviderName | 'none'): void {
  writeValue(ledger, note, { judge, at: isoTime(clock.nowMs()) })
}
