// config.toml: every setting is one row of the table below, which also writes the commented default file and the help.
import { existsSync, readFileSync } from 'node:fs'
import { parse, TomlError } from 'smol-toml'
import { UserError } from './errors.ts'
import { nearest } from './nearest.ts'
import type { Json } from './session.ts'
import { formatSize, isZone, parseSize } from './units.ts'

export interface Config {
  /** More folders to look for an agent's transcripts in, by agent. */
  sources: Record<string, string[]>
  capture: { ignore: string[]; skipAgents: string[] }
  retain: { softBytes: number; hardBytes: number; maxAgeDays: number; distilledBytes: number }
  projects: { aliases: Record<string, string>; domains: Record<string, string> }
  display: { zone: string | undefined }
}

type Value = string | number | string[] | Record<string, string> | Record<string, string[]>

interface Setting {
  name: string
  why: string
  fallback: Value
  /** As it stands in the default file. */
  example: string
  parse(value: Json): Value | undefined
  expected: string
}

const gib = 1024 ** 3

/** A table of `name = [...]` rows: its keys are the user's own. */
const openTables = ['sources', 'projects.aliases', 'projects.domains']

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
    parse: (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 36_500 ? value : undefined,
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
    parse: (value) => (typeof value === 'string' && isZone(value) ? value : undefined),
    expected: 'the name of a time zone',
  },
]

export function loadConfig(path: string): Config {
  return parseConfig(existsSync(path) ? readFileSync(path, 'utf8') : '', path)
}

export function parseConfig(source: string, path: string): Config {
  const given = flatten(parseToml(source, path), path)
  const value = <T extends Value>(name: string): T => {
    const setting = settings.find((candidate) => candidate.name === name)!
    const raw = given.get(name)
    if (raw === undefined) return setting.fallback as T
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
    const table = openTables.includes(name) ? name : name.split('.')[0]!
    if (table !== section) lines.push(...(section ? [''] : []), `[${table}]`)
    section = table
    lines.push(`# ${why}`, `# ${example}`)
  }
  return `${lines.join('\n')}\n`
}

function parseToml(source: string, path: string): Record<string, Json> {
  try {
    return parse(source) as Record<string, Json>
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw new UserError(`${path}:${error.line}:${error.column}: ${error.message.split('\n')[0]}`, 'Correct that line.')
  }
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
