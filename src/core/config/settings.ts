// The table of settings: every setting of config.toml is one row with its default, parser and help.
// The configuration, the commented default file and `recollect config` are made from it.
import type { Json } from '../session.ts'
import { parseSize } from '../units.ts'

/** Judges that decide what is worth remembering, in the order of the default file. */
export const judgeNames = ['claude-fork', 'claude', 'anthropic', 'openai', 'ollama', 'heuristic'] as const
export type JudgeName = (typeof judgeNames)[number]

/** Embedding providers. `recall.vectors` is one of them with a model: `<provider>:<model>`. */
export const embeddingProviderNames = ['ollama', 'openai'] as const satisfies readonly JudgeName[]
export type EmbeddingProviderName = (typeof embeddingProviderNames)[number]

/** Parts of the daily limits for models. */
export const budgetShareNames = ['memories', 'wiki', 'other'] as const
export type BudgetShareName = (typeof budgetShareNames)[number]

export type SettingValue =
  | string
  | number
  | boolean
  | string[]
  | Record<string, string>
  | Record<string, number>
  | Record<string, string[]>
  | Record<string, SourceFolders>

/** Folders to read besides those that an agent uses by default. */
export interface SourceFolders {
  folders: string[]
  /** The agent whose format the files have, for an agent that Recollect does not know. */
  format?: string
}

export interface Setting {
  name: string
  why: string
  fallback: SettingValue
  /** Line in the default file. */
  example: string
  parse(value: Json): SettingValue | undefined
  expected: string
  /**
   * A value of an earlier version. It counts as the default, so that updates do not break the
   * program.
   */
  removed?: { value: string; instead: string }
}

const gib = 1024 ** 3

/** Tables that are one setting each. */
export const openTables = ['sources', 'models.compile', 'models.share', 'projects.aliases', 'projects.domains']

const vectorSetting = new RegExp(`^(?:off|(?:${embeddingProviderNames.join('|')}):\\S+)$`)
const vectorValues = ['off', ...embeddingProviderNames.map((name) => `${name}:<model>`)].map((one) => `"${one}"`)

const defaultShares: Record<BudgetShareName, number> = { memories: 60, wiki: 25, other: 15 }

export const settings: readonly Setting[] = [
  {
    name: 'sources',
    why: 'Additional home folders of an agent. An agent that Recollect does not know can be read if its files have the format of one that it knows: my-agent = { format = "codex", folders = ["~/.my-agent"] }. To find such folders: recollect doctor --unknown',
    fallback: {},
    example: 'claude-code = ["~/.claude-work"]',
    parse: (value) => table(value, sourceFolders),
    expected: 'agent = ["folder", ...] or agent = { format = "known agent", folders = ["folder", ...] }',
  },
  {
    name: 'capture.ignore',
    why: 'Sessions in these folders (and below) are never captured. `*` matches any part of a name.',
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
    why: 'Above this size of the whole store the full texts of the oldest sessions are deleted, only as many as needed, after they were digested and learned from. A notice is shown a day before. Digests and memories stay.',
    fallback: 4 * gib,
    example: 'soft = "4 GiB"',
    parse: byteSize,
    expected: 'a size such as "4 GiB"',
  },
  {
    name: 'retain.hard',
    why: 'Above this size full texts are deleted at once, also those that were not learned from. By default 6 GiB, or 1.5 times soft if that is more.',
    fallback: 6 * gib,
    example: 'hard = "6 GiB"',
    parse: byteSize,
    expected: 'a size such as "6 GiB"',
  },
  {
    name: 'retain.max_age_days',
    why: 'Full texts are also deleted this number of days after a session last grew; 0 keeps them at any age.',
    fallback: 0,
    example: 'max_age_days = 0',
    parse: integer(0, 36_500),
    expected: 'a whole number of days up to 36500',
  },
  {
    name: 'retain.distilled',
    why: 'Permanent data (digests, memories, index) raises an alert above this size; it is never deleted.',
    fallback: gib,
    example: 'distilled = "1 GiB"',
    parse: byteSize,
    expected: 'a size such as "1 GiB"',
  },
  {
    name: 'learn.on',
    why: 'Whether memories are learned from sessions.',
    fallback: true,
    example: 'on = true',
    parse: boolean,
    expected: 'true or false',
  },
  {
    name: 'learn.when',
    why: 'When a model judges: "rest" asks once per session, when it is at rest, before a compaction and at its end; "turn" asks after every turn, which costs several times as much.',
    fallback: 'rest',
    example: 'when = "rest"',
    parse: (value) => (value === 'rest' || value === 'turn' ? value : undefined),
    expected: '"rest" or "turn"',
  },
  {
    name: 'learn.every_turns',
    why: 'With when = "turn": a model is asked after this number of turns of a session, and at its end.',
    fallback: 1,
    example: 'every_turns = 1',
    parse: integer(1, 1000),
    expected: 'a whole number from 1',
  },
  {
    name: 'learn.fresh_days',
    why: 'Older sessions are judged without a model, because history would use up the budget.',
    fallback: 3,
    example: 'fresh_days = 3',
    parse: integer(0, 3650),
    expected: 'a whole number of days',
  },
  {
    name: 'learn.consolidate',
    why: 'Whether memories are consolidated once a day: duplicates, dates, outdated statements.',
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
    name: 'recall.uncompact',
    why: 'Whether an agent is given back, within 600 tokens, what a compaction dropped: words of the user, commands that worked, paths, values, open ends.',
    fallback: true,
    example: 'uncompact = true',
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
    name: 'hooks.fix',
    why: 'Whether an agent is told, in one line and once per session, what helped with an error when the same one occurs again, and which decision concerns a file before it edits it (Claude Code, Codex; not on Windows). It costs a start of sh after each failed command and before each edit. Run `recollect install` after a change.',
    fallback: false,
    example: 'fix = false',
    parse: boolean,
    expected: 'true or false',
  },
  {
    name: 'brief.candidates',
    why: 'How many candidates a brief may quote as "Said earlier, not reviewed", at most 3; 0 for none. Only where no model judges.',
    fallback: 3,
    example: 'candidates = 3',
    parse: integer(0, 3),
    expected: 'a whole number up to 3',
  },
  {
    name: 'models.order',
    why: 'Judges to ask, first to last. Paid ones (claude, claude-fork, anthropic, openai) are asked only after you allow them: recollect models allow claude. So is ollama, unless you name it here or under `ollama`.',
    fallback: ['claude', 'ollama', 'heuristic'],
    example: 'order = ["claude", "ollama", "heuristic"]',
    parse: judgeList,
    expected: `a list of ${judgeNames.join(', ')}`,
  },
  {
    name: 'models.daily_usd',
    why: 'What models may cost in a day, in USD; about $0.02 per long session with the default models. When it is used up, the next free judge in the order takes over; what no model judged is asked again the next day.',
    fallback: 0.5,
    example: 'daily_usd = 0.50',
    parse: (value) => (typeof value === 'number' && value >= 0 ? value : undefined),
    expected: 'an amount such as 0.50',
  },
  {
    name: 'models.daily_calls',
    why: 'Maximum number of calls to paid models in a day.',
    fallback: 40,
    example: 'daily_calls = 40',
    parse: integer(0, 100_000),
    expected: 'a whole number',
  },
  {
    name: 'models.claude',
    why: 'Model to use with the claude program.',
    fallback: 'haiku',
    example: 'claude = "haiku"',
    parse: nonEmpty,
    expected: 'the name of a model',
  },
  {
    name: 'models.anthropic',
    why: 'Model at the Anthropic API; the key is taken from ANTHROPIC_API_KEY.',
    fallback: 'claude-haiku-4-5',
    example: 'anthropic = "claude-haiku-4-5"',
    parse: nonEmpty,
    expected: 'the name of a model',
  },
  {
    name: 'models.openai_url',
    why: 'An endpoint with the OpenAI chat protocol; the key is taken from OPENAI_API_KEY.',
    fallback: '',
    example: 'openai_url = "http://localhost:8000/v1"',
    parse: (value) => (typeof value === 'string' && /^https?:\/\//.test(value) ? value : undefined),
    expected: 'an http address',
  },
  {
    name: 'models.openai',
    why: 'Model at that endpoint.',
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
    name: 'models.compile',
    why: 'Other models for the journal and the wiki, by provider; without one, the model that judges.',
    fallback: {},
    example: 'claude = "sonnet"',
    parse: (value) => {
      const names: readonly string[] = judgeNames.filter((name) => name !== 'heuristic' && name !== 'claude-fork')
      const models = table(value, nonEmpty)
      return models && Object.keys(models).every((name) => names.includes(name)) ? models : undefined
    },
    expected: 'provider = "model" for claude, anthropic, openai or ollama',
  },
  {
    name: 'models.share',
    why: 'Percent of the daily limits that each purpose may use: memories (judging sessions), wiki (with the journal), other (consolidate, lint, ask, vectors). Each has its share to itself as long as they add up to 100 or less; with more, whoever asks first may use what is left.',
    fallback: defaultShares,
    example: 'memories = 60',
    parse: (value) => {
      const given = table(value, (share) => integer(0, 100)(share ?? null))
      const names: readonly string[] = budgetShareNames
      return given && Object.keys(given).every((name) => names.includes(name))
        ? { ...defaultShares, ...given }
        : undefined
    },
    expected: 'a percentage for memories, wiki or other',
  },
  {
    name: 'sync.server',
    why: 'Server through which your machines or your team share memories. `recollect sync join` writes this line.',
    fallback: '',
    example: 'server = "https://memory.example.com"',
    parse: (value) => (/^https?:\/\/[^\s/]/.test(string(value) ?? '') ? string(value) : undefined),
    expected: 'an http address',
  },
  {
    name: 'sync.about_me',
    why: 'Whether memories about you (type user) are also sent to your own space on the server.',
    fallback: false,
    example: 'about_me = false',
    parse: boolean,
    expected: 'true or false',
  },
  {
    name: 'sync.private',
    why: 'Projects whose memories stay on this machine, by identity. Memories tagged `private` stay, too. `*` matches any part of a name.',
    fallback: [],
    example: 'private = ["github.com/me/diary", "/home/me/private/*"]',
    parse: strings,
    expected: 'a list of projects',
  },
  {
    name: 'sync.sessions',
    why: 'Projects whose sessions are also sent to your own space. By default no session leaves this machine. Sessions of a project removed from the list are withdrawn from the server; copies on your other machines stay.',
    fallback: [],
    example: 'sessions = ["github.com/my-company/app"]',
    parse: strings,
    expected: 'a list of projects',
  },
  {
    name: 'sync.insecure',
    why: 'Whether the key and memories may be sent over plain http to other machines.',
    fallback: false,
    example: 'insecure = false',
    parse: boolean,
    expected: 'true or false',
  },
  {
    name: 'projects.aliases',
    why: 'Aliases of projects: the old identity on the left, the one to use on the right. Run `recollect rebuild` after a change.',
    fallback: {},
    example: '"github.com/me/old-name" = "github.com/me/new-name"',
    parse: (value) => table(value, string),
    expected: '"identity" = "identity"',
  },
  {
    name: 'projects.domains',
    why: 'Groups of projects, by identity, for `recollect sessions --domain`. `*` matches any part of a name. Run `recollect rebuild` after a change.',
    fallback: {},
    example: '"github.com/my-company/*" = "work"',
    parse: (value) => table(value, string),
    expected: '"identity" = "domain"',
  },
  {
    name: 'display.zone',
    why: 'Time zone for display; by default the time zone of this machine.',
    fallback: '',
    example: 'zone = "Europe/Berlin"',
    parse: string, // an unknown name is a warning: see parseConfig
    expected: 'the name of a time zone',
  },
]

function string(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function strings(value: Json | undefined): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.every((item): item is string => typeof item === 'string') ? value : undefined
}

function sourceFolders(value: Json | undefined): SourceFolders | undefined {
  if (!isTable(value)) return withFolders(value)
  const { format, folders, ...rest } = value
  if (typeof format !== 'string' || Object.keys(rest).length > 0) return undefined
  const read = withFolders(folders)
  return read && { ...read, format }
}

function withFolders(value: Json | undefined): SourceFolders | undefined {
  const folders = strings(value)
  return folders && { folders }
}

function boolean(value: Json): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function nonEmpty(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function integer(min: number, max: number): (value: Json) => number | undefined {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined
}

function judgeList(value: Json): string[] | undefined {
  const names: readonly string[] = judgeNames
  return strings(value)?.every((name) => names.includes(name)) ? strings(value) : undefined
}

/** Whether its value is a number of bytes. */
export function isByteSize({ parse }: Setting): boolean {
  return parse === byteSize
}

function byteSize(value: Json): number | undefined {
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

export function isTable(value: Json | undefined): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
