// config.toml: every setting is one row of the table below, which also writes the commented default file and the help.
import { existsSync, readFileSync } from 'node:fs'
import { parse, TomlError } from 'smol-toml'
import { nearest } from '../text/nearest.ts'
import { UserError } from './errors.ts'
import type { Json } from './session.ts'
import { formatSize, isTimeZone, parseSize } from './units.ts'

export interface Config {
  /** More folders to look for an agent's transcripts in, by agent. */
  sources: Record<string, string[]>
  capture: { ignore: string[]; skipAgents: string[] }
  retain: { softBytes: number; hardBytes: number; maxAgeDays: number; distilledBytes: number }
  learn: { isOn: boolean; everyTurns: number; freshDays: number; consolidates: boolean }
  recall: { perPrompt: boolean; vectors: string }
  models: {
    order: JudgeName[]
    dailyUsd: number
    dailyCalls: number
    claude: string
    anthropic: string
    openaiUrl: string
    openai: string
    ollama: string[]
  }
  sync: { server: string; aboutMe: boolean; private: string[]; sessions: string[]; insecure: boolean }
  projects: { aliases: Record<string, string>; domains: Record<string, string> }
  display: { zone: string | undefined }
}

/** Who can be asked what is worth remembering, and what a session was about. */
export const judgeNames = ['claude-fork', 'claude', 'anthropic', 'openai', 'ollama', 'heuristic'] as const
export type JudgeName = (typeof judgeNames)[number]

/** Providers of embeddings. `recall.vectors` names one of them and a model: `<provider>:<model>`. */
export const embeddingProviderNames = ['ollama', 'openai'] as const satisfies readonly JudgeName[]
export type EmbeddingProviderName = (typeof embeddingProviderNames)[number]

type Value = string | number | boolean | string[] | Record<string, string> | Record<string, string[]>

interface Setting {
  name: string
  why: string
  fallback: Value
  /** As it stands in the default file. */
  example: string
  parse(value: Json): Value | undefined
  expected: string
  /** A value of an earlier version. It counts as the default, so that an update does not stop the program. */
  removed?: { value: string; instead: string }
}

const gib = 1024 ** 3

/** A table of `name = [...]` rows: its keys are the user's own. */
const openTables = ['sources', 'projects.aliases', 'projects.domains']

const vectorSetting = new RegExp(`^(?:off|(?:${embeddingProviderNames.join('|')}):\\S+)$`)
const vectorValues = ['off', ...embeddingProviderNames.map((name) => `${name}:<model>`)].map((one) => `"${one}"`)

export const settings: readonly Setting[] = [
  {
    name: 'sources',
    why: 'More homes of an agent, besides the ones it uses by itself.',
    fallback: {},
    example: 'claude-code = ["~/.claude-work"]',
    parse: (value) => table(value, strings),
    expected: 'agent = ["folder", ...]',
  },
  {
    name: 'capture.ignore',
    why: 'Sessions in these folders (and below) are never captured. `*` stands for any part of a name.',
    fallback: [],
    example: 'ignore = ["~/private", "~/code/client-*"]',
    parse: strings,
    expected: 'a list of folders',
  },
  {
    name: 'capture.skip_agents',
    why: 'Agents that are not captured at all.',
    fallback: [],
    example: 'skip_agents = ["aider"]',
    parse: strings,
    expected: 'a list of agents',
  },
  {
    name: 'retain.soft',
    why: 'Above this size the oldest digested bodies are deleted.',
    fallback: 4 * gib,
    example: 'soft = "4 GiB"',
    parse: size,
    expected: 'a size such as "4 GiB"',
  },
  {
    name: 'retain.hard',
    why: 'This size is never exceeded.',
    fallback: 6 * gib,
    example: 'hard = "6 GiB"',
    parse: size,
    expected: 'a size such as "6 GiB"',
  },
  {
    name: 'retain.max_age_days',
    why: 'Digested bodies older than this are deleted; 0 keeps them for as long as the budget allows.',
    fallback: 45,
    example: 'max_age_days = 45',
    parse: integer(0, 36_500),
    expected: 'a whole number of days up to 36500',
  },
  {
    name: 'retain.distilled',
    why: 'What is kept for good (digests, memories, index) raises an alert above this size; it is never deleted.',
    fallback: gib,
    example: 'distilled = "1 GiB"',
    parse: size,
    expected: 'a size such as "1 GiB"',
  },
  {
    name: 'learn.on',
    why: 'Whether memories are learned from sessions at all.',
    fallback: true,
    example: 'on = true',
    parse: boolean,
    expected: 'true or false',
  },
  {
    name: 'learn.every_turns',
    why: 'A model is asked after every so many turns of a session, and at its end; the heuristic judge reads every turn.',
    fallback: 1,
    example: 'every_turns = 1',
    parse: integer(1, 1000),
    expected: 'a whole number from 1',
  },
  {
    name: 'learn.fresh_days',
    why: 'Sessions that are older than this are judged without a model: history would use up the budget.',
    fallback: 3,
    example: 'fresh_days = 3',
    parse: integer(0, 3650),
    expected: 'a whole number of days',
  },
  {
    name: 'learn.consolidate',
    why: 'Whether memories are tidied once a day when enough was said: duplicates, dates, what no longer holds.',
    fallback: true,
    example: 'consolidate = true',
    parse: boolean,
    expected: 'true or false',
  },
  {
    name: 'recall.per_prompt',
    why: 'Whether an agent is also given memories that fit each prompt (Claude Code, Codex, Gemini CLI). It costs a start of Node and a search before every prompt. Run `recollect install` after a change.',
    fallback: false,
    example: 'per_prompt = false',
    parse: boolean,
    expected: 'true or false',
  },
  {
    name: 'recall.vectors',
    why: 'Whether search also goes by meaning: "ollama:<model>" and "openai:<model>" ask a model for vectors (every passage goes there once, redacted, within the limits of [models]).',
    fallback: 'off',
    example: 'vectors = "off"',
    parse: (value) => (vectorSetting.test(string(value) ?? '') ? string(value) : undefined),
    expected: `${vectorValues.slice(0, -1).join(', ')} or ${vectorValues.at(-1)}`,
    removed: { value: 'own', instead: 'Write vectors = "off", or "ollama:<model>" to search by meaning' },
  },
  {
    name: 'models.order',
    why: 'Who judges, first to last. Paid ones (claude, claude-fork, anthropic, openai) are asked only after you allow them: recollect models allow claude.',
    fallback: ['claude', 'ollama', 'heuristic'],
    example: 'order = ["claude", "ollama", "heuristic"]',
    parse: judges,
    expected: `a list of ${judgeNames.join(', ')}`,
  },
  {
    name: 'models.daily_usd',
    why: 'What models may cost in a day, in USD. When it is used up, the next in the order that costs nothing goes on.',
    fallback: 0.5,
    example: 'daily_usd = 0.50',
    parse: (value) => (typeof value === 'number' && value >= 0 ? value : undefined),
    expected: 'an amount such as 0.50',
  },
  {
    name: 'models.daily_calls',
    why: 'How often paid models may be asked in a day.',
    fallback: 40,
    example: 'daily_calls = 40',
    parse: integer(0, 100_000),
    expected: 'a whole number',
  },
  {
    name: 'models.claude',
    why: 'The model that the claude program is asked for.',
    fallback: 'haiku',
    example: 'claude = "haiku"',
    parse: nonEmpty,
    expected: 'the name of a model',
  },
  {
    name: 'models.anthropic',
    why: 'The model at the Anthropic API; the key is taken from ANTHROPIC_API_KEY.',
    fallback: 'claude-haiku-4-5',
    example: 'anthropic = "claude-haiku-4-5"',
    parse: nonEmpty,
    expected: 'the name of a model',
  },
  {
    name: 'models.openai_url',
    why: 'Any endpoint that speaks the OpenAI chat protocol; the key is taken from OPENAI_API_KEY.',
    fallback: '',
    example: 'openai_url = "http://localhost:8000/v1"',
    parse: (value) => (typeof value === 'string' && /^https?:\/\//.test(value) ? value : undefined),
    expected: 'an http address',
  },
  {
    name: 'models.openai',
    why: 'The model at that endpoint.',
    fallback: '',
    example: 'openai = "gpt-5-mini"',
    parse: nonEmpty,
    expected: 'the name of a model',
  },
  {
    name: 'models.ollama',
    why: 'Models to try at OLLAMA_HOST (else localhost:11434), first to last.',
    fallback: ['qwen2.5:3b', 'llama3.2:3b', 'gemma2:2b', 'phi3:mini'],
    example: 'ollama = ["qwen2.5:3b", "llama3.2:3b"]',
    parse: strings,
    expected: 'a list of models',
  },
  {
    name: 'sync.server',
    why: 'A server that your machines or your team share memories through. `recollect sync join` writes this line.',
    fallback: '',
    example: 'server = "https://memory.example.com"',
    parse: (value) => (/^https?:\/\/[^\s/]/.test(string(value) ?? '') ? string(value) : undefined),
    expected: 'an http address',
  },
  {
    name: 'sync.about_me',
    why: 'Whether memories about you as a person (type user) are sent to your own space there, too.',
    fallback: false,
    example: 'about_me = false',
    parse: boolean,
    expected: 'true or false',
  },
  {
    name: 'sync.private',
    why: 'Projects whose memories stay on this machine, by identity; as does every memory that is tagged `private`. `*` stands for any part of a name.',
    fallback: [],
    example: 'private = ["github.com/me/diary", "/home/me/private/*"]',
    parse: strings,
    expected: 'a list of projects',
  },
  {
    name: 'sync.sessions',
    why: 'Projects whose sessions are sent to your own space, too. Without this no session leaves this machine. Taken off the list, they are withdrawn from the server; copies on your other machines stay there.',
    fallback: [],
    example: 'sessions = ["github.com/my-company/app"]',
    parse: strings,
    expected: 'a list of projects',
  },
  {
    name: 'sync.insecure',
    why: 'Whether the key and memories may go over plain http beyond this machine.',
    fallback: false,
    example: 'insecure = false',
    parse: boolean,
    expected: 'true or false',
  },
  {
    name: 'projects.aliases',
    why: 'One project under several names: its old identity on the left, the one to use on the right. Run `recollect rebuild` after a change.',
    fallback: {},
    example: '"github.com/me/old-name" = "github.com/me/new-name"',
    parse: (value) => table(value, string),
    expected: '"identity" = "identity"',
  },
  {
    name: 'projects.domains',
    why: 'Groups of projects, by identity. `*` stands for any part of a name.',
    fallback: {},
    example: '"github.com/my-company/*" = "work"',
    parse: (value) => table(value, string),
    expected: '"identity" = "domain"',
  },
  {
    name: 'display.zone',
    why: 'Time zone of days and times shown; the one of this machine when it is not set.',
    fallback: '',
    example: 'zone = "Europe/Berlin"',
    parse: (value) => (typeof value === 'string' && isTimeZone(value) ? value : undefined),
    expected: 'the name of a time zone',
  },
]

export function loadConfig(path: string): Config {
  return parseConfig(existsSync(path) ? readFileSync(path, 'utf8') : '', path)
}

export interface RemovedValue {
  setting: string
  value: string
  /** What to write instead. */
  instead: string
}

/** Values in the file that this version no longer knows and treats as the default. */
export function removedValues(path: string): RemovedValue[] {
  const given = flatten(parseToml(existsSync(path) ? readFileSync(path, 'utf8') : '', path), path)
  return settings.flatMap(({ name, removed }) =>
    removed && given.get(name) === removed.value ? [{ setting: name, ...removed }] : [],
  )
}

export function parseConfig(source: string, path: string): Config {
  const given = flatten(parseToml(source, path), path)
  const value = <T extends Value>(name: string): T => {
    const setting = settings.find((candidate) => candidate.name === name)!
    const raw = given.get(name)
    if (raw === undefined || raw === setting.removed?.value) return setting.fallback as T
    const parsed = setting.parse(raw)
    if (parsed === undefined)
      throw new UserError(`${path}: ${name} is not ${setting.expected}`, `For example: ${setting.example}`)
    return parsed as T
  }
  const config: Config = {
    sources: value('sources'),
    capture: { ignore: value('capture.ignore'), skipAgents: value('capture.skip_agents') },
    retain: {
      softBytes: value('retain.soft'),
      hardBytes: value('retain.hard'),
      maxAgeDays: value('retain.max_age_days'),
      distilledBytes: value('retain.distilled'),
    },
    learn: {
      isOn: value('learn.on'),
      everyTurns: value('learn.every_turns'),
      freshDays: value('learn.fresh_days'),
      consolidates: value('learn.consolidate'),
    },
    recall: { perPrompt: value('recall.per_prompt'), vectors: value('recall.vectors') },
    models: {
      order: value<string[]>('models.order') as JudgeName[],
      dailyUsd: value('models.daily_usd'),
      dailyCalls: value('models.daily_calls'),
      claude: value('models.claude'),
      anthropic: value('models.anthropic'),
      openaiUrl: value('models.openai_url'),
      openai: value('models.openai'),
      ollama: value('models.ollama'),
    },
    sync: {
      server: value('sync.server'),
      aboutMe: value('sync.about_me'),
      private: value('sync.private'),
      sessions: value('sync.sessions'),
      insecure: value('sync.insecure'),
    },
    projects: { aliases: value('projects.aliases'), domains: value('projects.domains') },
    display: { zone: value<string>('display.zone') || undefined },
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

/** The file that a new user finds: every setting explained, nothing switched on. */
export function defaultConfig(): string {
  const lines = ['# Recollect. Everything here has a default; take the # away to change it.', '']
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

function parseToml(source: string, path: string): Record<string, Json> {
  if (isAllDefaults(source)) return {}
  try {
    return parse(source) as Record<string, Json>
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw new UserError(`${path}:${error.line}:${error.column}: ${error.message.split('\n')[0]}`, 'Correct that line.')
  }
}

/** As most people have it: then the parser is not even loaded. */
function isAllDefaults(source: string): boolean {
  const tables = new Set(settings.map(({ name }) => `[${tableOf(name)}]`))
  return source.split('\n').every((line) => line === '' || line.startsWith('#') || tables.has(line))
}

/** Settings by their full name. A name that is not in the table is an error that shows the nearest one. */
function flatten(value: Record<string, Json>, path: string, prefix = ''): Map<string, Json> {
  const known = settings.map((setting) => setting.name)
  const result = new Map<string, Json>()
  for (const [key, item] of Object.entries(value)) {
    const name = prefix + key
    if (known.includes(name)) result.set(name, item)
    else if (known.some((other) => other.startsWith(`${name}.`)) && isTable(item)) {
      for (const [inner, innerItem] of flatten(item, path, `${name}.`)) result.set(inner, innerItem)
    } else {
      const suggestion = nearest(name, known)
      throw new UserError(
        `${path}: unknown setting ${name}`,
        suggestion ? `Did you mean ${suggestion}?` : `Known settings: ${known.join(', ')}`,
      )
    }
  }
  return result
}

function string(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function strings(value: Json | undefined): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.every((item): item is string => typeof item === 'string') ? value : undefined
}

function boolean(value: Json): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function nonEmpty(value: Json): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function integer(min: number, max: number): (value: Json) => number | undefined {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined
}

function judges(value: Json): string[] | undefined {
  const names: readonly string[] = judgeNames
  return strings(value)?.every((name) => names.includes(name)) ? strings(value) : undefined
}

function size(value: Json): number | undefined {
  if (typeof value === 'number') return value >= 0 ? value : undefined
  return typeof value === 'string' ? parseSize(value) : undefined
}

function table<T>(value: Json, row: (value: Json | undefined) => T | undefined): Record<string, T> | undefined {
  if (!isTable(value)) return undefined
  const result: Record<string, T> = {}
  for (const [key, item] of Object.entries(value)) {
    const parsed = row(item)
    if (parsed === undefined) return undefined
    result[key] = parsed
  }
  return result
}

function isTable(value: Json | undefined): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
