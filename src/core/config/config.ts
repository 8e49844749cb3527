// Reads config.toml, checks it against the table of settings, and writes the default file.
import { existsSync, readFileSync } from 'node:fs'
import { parse, TomlError } from 'smol-toml'
import { nearest } from '../../text/nearest.ts'
import { UserError } from '../errors.ts'
import type { Json } from '../session.ts'
import { formatSize, isTimeZone } from '../units.ts'
import {
  type BudgetShareName,
  isTable,
  type JudgeName,
  openTables,
  type Setting,
  type SettingValue,
  type SourceFolders,
  settings,
} from './settings.ts'

export interface Config {
  /** Additional transcript folders by agent. */
  sources: Record<string, SourceFolders>
  capture: { ignore: string[]; skipAgents: string[] }
  retain: { softBytes: number; hardBytes: number; maxAgeDays: number; distilledBytes: number }
  learn: { isOn: boolean; when: 'rest' | 'turn'; everyTurns: number; freshDays: number; consolidates: boolean }
  recall: { perPrompt: boolean; uncompacts: boolean; vectors: string }
  hooks: { fix: boolean }
  brief: { candidates: number }
  models: {
    order: JudgeName[]
    dailyUsd: number
    dailyCalls: number
    claude: string
    anthropic: string
    openaiUrl: string
    openai: string
    ollama: string[]
    /** Models for the journal and the wiki, by provider. */
    compile: Record<string, string>
    /** Percent of the daily limits. */
    share: Record<BudgetShareName, number>
    /** The file names Ollama, which counts as consent to the one on this machine. */
    isOllamaChosen: boolean
  }
  sync: { server: string; aboutMe: boolean; private: string[]; sessions: string[]; insecure: boolean }
  projects: { aliases: Record<string, string>; domains: Record<string, string> }
  display: { zone: string | undefined }
  /** What is wrong in the file and was replaced by its default, for the user. */
  warnings: string[]
}

export function loadConfig(path: string): Config {
  return parseConfig(existsSync(path) ? readFileSync(path, 'utf8') : '', path)
}

export interface SettingState {
  setting: Setting
  value: SettingValue
  /** The file states a value; otherwise it is the default. */
  isSet: boolean
}

/** Every setting with the value that is in force. */
export function settingStates(path: string): SettingState[] {
  const given = readSettings(path)
  const { hardBytes } = loadConfig(path).retain
  return settings.map((setting) => ({
    setting,
    value: setting.name === 'retain.hard' ? hardBytes : settingValue(setting, given, path),
    isSet: given.has(setting.name),
  }))
}

/** The setting of this name; a user error that suggests the nearest one if there is none. */
export function settingNamed(name: string): Setting {
  const found = settings.find((setting) => setting.name === name)
  if (found) return found
  throw unknownSetting(`Unknown setting ${name}`, name)
}

/** Suggests the nearest name; for a table such as `retain`, its settings. */
function unknownSetting(message: string, name: string): UserError {
  const known = settings.map((setting) => setting.name)
  const members = known.filter((one) => one.startsWith(`${name}.`))
  const suggestion = members.length > 0 ? undefined : nearest(name, known)
  const names = members.length > 0 ? members : known
  return new UserError(message, suggestion ? `Did you mean ${suggestion}?` : `Known settings: ${names.join(', ')}`)
}

export interface RemovedValue {
  setting: string
  value: string
  /** What to write instead. */
  instead: string
}

/** Values in the file that this version no longer knows and treats as the default. */
export function removedValues(path: string): RemovedValue[] {
  const given = readSettings(path)
  return settings.flatMap(({ name, removed }) =>
    removed && given.get(name) === removed.value ? [{ setting: name, ...removed }] : [],
  )
}

function readSettings(path: string): Map<string, Json> {
  return flatten(parseToml(existsSync(path) ? readFileSync(path, 'utf8') : '', path), path)
}

export function parseConfig(source: string, path: string): Config {
  const given = flatten(parseToml(source, path), path)
  const value = <T extends SettingValue>(name: string): T => settingValue(settingNamed(name), given, path) as T
  const zone = value<string>('display.zone')
  const isKnownZone = zone === '' || isTimeZone(zone)
  const config: Config = {
    sources: value('sources'),
    capture: { ignore: value('capture.ignore'), skipAgents: value('capture.skip_agents') },
    retain: {
      softBytes: value('retain.soft'),
      // A raised soft limit must not require a second setting.
      hardBytes: given.has('retain.hard') ? value('retain.hard') : defaultHardBytes(value('retain.soft')),
      maxAgeDays: value('retain.max_age_days'),
      distilledBytes: value('retain.distilled'),
    },
    learn: {
      isOn: value('learn.on'),
      when: value('learn.when'),
      everyTurns: value('learn.every_turns'),
      freshDays: value('learn.fresh_days'),
      consolidates: value('learn.consolidate'),
    },
    recall: {
      perPrompt: value('recall.per_prompt'),
      uncompacts: value('recall.uncompact'),
      vectors: value('recall.vectors'),
    },
    hooks: { fix: value('hooks.fix') },
    brief: { candidates: value('brief.candidates') },
    models: {
      order: value<string[]>('models.order') as JudgeName[],
      dailyUsd: value('models.daily_usd'),
      dailyCalls: value('models.daily_calls'),
      claude: value('models.claude'),
      anthropic: value('models.anthropic'),
      openaiUrl: value('models.openai_url'),
      openai: value('models.openai'),
      ollama: value('models.ollama'),
      compile: value('models.compile'),
      share: value<Record<string, number>>('models.share') as Record<BudgetShareName, number>,
      isOllamaChosen: given.has('models.ollama') || namesOllama(given.get('models.order')),
    },
    sync: {
      server: value('sync.server'),
      aboutMe: value('sync.about_me'),
      private: value('sync.private'),
      sessions: value('sync.sessions'),
      insecure: value('sync.insecure'),
    },
    projects: { aliases: value('projects.aliases'), domains: value('projects.domains') },
    display: { zone: isKnownZone ? zone || undefined : undefined },
    // A wrong time zone must not stop capture: another system may not know the name.
    warnings: isKnownZone ? [] : [`${path}: unknown time zone "${zone}"; the one of this machine is used`],
  }
  if (config.retain.hardBytes < config.retain.softBytes) {
    const sizes = `${formatSize(config.retain.hardBytes)} is below ${formatSize(config.retain.softBytes)}`
    throw new UserError(
      `${path}: retain.hard must not be smaller than retain.soft (${sizes})`,
      'Raise hard or lower soft.',
    )
  }
  return config
}

function settingValue(setting: Setting, given: ReadonlyMap<string, Json>, path: string): SettingValue {
  const raw = given.get(setting.name)
  if (raw === undefined || raw === setting.removed?.value) return setting.fallback
  const parsed = setting.parse(raw)
  if (parsed === undefined)
    throw new UserError(`${path}: ${setting.name} is not ${setting.expected}`, `For example: ${setting.example}`)
  return parsed
}

export function defaultHardBytes(softBytes: number): number {
  const fallback = settings.find(({ name }) => name === 'retain.hard')!.fallback as number
  return Math.max(fallback, 1.5 * softBytes)
}

/** The default order in the file is no choice: it may have been there as an example. */
function namesOllama(order: Json | undefined): boolean {
  const byDefault = settings.find(({ name }) => name === 'models.order')!.fallback
  return Array.isArray(order) && order.includes('ollama') && String(order) !== String(byDefault)
}

/** Content of the file for a new user: every setting explained and commented out. */
export function defaultConfig(): string {
  const lines = ['# Recollect. Every setting has a default; remove the # to change it.', '']
  let section = ''
  for (const { name, why, example } of settings) {
    const table = tableOf(name)
    if (table !== section) lines.push(...(section ? [''] : []), `[${table}]`)
    section = table
    lines.push(`# ${why}`, `# ${example}`)
  }
  return `${lines.join('\n')}\n`
}

function tableOf(setting: string): string {
  return openTables.includes(setting) ? setting : setting.split('.')[0]!
}

export function isToml(source: string): boolean {
  try {
    parse(source)
    return true
  } catch (error) {
    if (error instanceof TomlError) return false
    throw error
  }
}

function parseToml(source: string, path: string): Record<string, Json> {
  if (isDefaultFile(source)) return {}
  try {
    return parse(source) as Record<string, Json>
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw new UserError(`${path}:${error.line}:${error.column}: ${error.message.split('\n')[0]}`, 'Correct that line.')
  }
}

/** True for the unchanged default file; then the TOML parser is not loaded. */
function isDefaultFile(source: string): boolean {
  const tables = new Set(settings.map(({ name }) => `[${tableOf(name)}]`))
  return source.split('\n').every((line) => line === '' || line.startsWith('#') || tables.has(line))
}

/** Settings by full name. An unknown name is an error that suggests the nearest known one. */
function flatten(value: Record<string, Json>, path: string, prefix = ''): Map<string, Json> {
  const known = settings.map((setting) => setting.name)
  const result = new Map<string, Json>()
  for (const [key, item] of Object.entries(value)) {
    const name = prefix + key
    if (known.includes(name)) result.set(name, item)
    else if (known.some((other) => other.startsWith(`${name}.`)) && isTable(item)) {
      for (const [inner, innerItem] of flatten(item, path, `${name}.`)) result.set(inner, innerItem)
    } else {
      throw unknownSetting(`${path}: unknown setting ${name}`, name)
    }
  }
  return result
}
