// OpenAI Codex, hooks as seen in 0.166; unknown event names are ignored. In its terminal
// SessionStart is sent with the first prompt, and no event after SIGTERM.
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { readTextOrEmpty } from '../../core/files.ts'
import { isHookCommand } from '../../core/hook-command.ts'
import type { Json } from '../../core/session.ts'
import type { Hooks, PluginTrace } from '../agent.ts'
import {
  groupedHooks,
  hookTimeoutSeconds,
  pluginName,
  promptHook,
  promptTimeoutSeconds,
  toolHook,
} from '../hook-groups.ts'
import { asArray, asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'

/** Added to Codex later than the other events, with a lower limit for timeouts. */
const lateSeconds: Record<string, number> = { Interrupt: 3, SessionEnd: 3 }

export const codexHooks: Hooks = groupedHooks({
  events: { SessionStart: 'start', Stop: 'turn', Interrupt: 'turn', PreCompact: 'compact', SessionEnd: 'end' },
  prompt: promptHook('UserPromptSubmit', promptTimeoutSeconds),
  // There is no event for failures, and the payload has no exit code: the hook recognises the error.
  hints: { failure: toolHook('PostToolUse', 'Bash'), edit: toolHook('PreToolUse', 'apply_patch') },
  home: ({ home, env }) => env.CODEX_HOME || join(home, '.codex'),
  file: 'hooks.json',
  rejects: ['comment', 'trailing comma'],
  timeoutOf: (event) => lateSeconds[event] ?? hookTimeoutSeconds,
  plugin: 'codex',
  hasPlugin(machine) {
    try {
      const { plugins } = parse(readFileSync(join(codexHooks.home(machine), 'config.toml'), 'utf8')) as JsonObject
      const entry = asObject(plugins)[pluginName]
      return entry !== undefined && asObject(entry).enabled !== false
    } catch {
      return false
    }
  },
  /** As 0.166 writes them. */
  pluginTraces(machine, marketplace) {
    const path = join(codexHooks.home(machine), 'config.toml')
    const [name] = pluginName.split('@') as [string]
    const table = (...at: string[]): PluginTrace => ({
      file: { kind: 'toml table', path, at, text: '' },
      made: [],
      empty: {},
    })
    let noted: JsonObject = {}
    try {
      noted = parse(readTextOrEmpty(path)) as JsonObject
    } catch {} // another check reports it
    return {
      isNoted: asObject(asObject(noted.marketplaces)[name]).source === marketplace,
      files: [table('marketplaces', name), table('plugins', pluginName)],
      folders: [join(codexHooks.home(machine), 'plugins', 'cache', name)],
    }
  },
  // Codex consolidates its own memories in sessions that run in this folder.
  internal: { folder: 'memories_v2' },
  afterwards:
    'Open codex once and trust the hooks when it says "Hooks need review"; until then it ignores them, in `codex exec` silently.',
  isTrusted(machine) {
    const home = codexHooks.home(machine)
    try {
      const path = join(home, 'hooks.json')
      const groups = asObject(asObject(parseJson(readFileSync(path, 'utf8'))).hooks)
      const state = trustState(join(home, 'config.toml'))
      const isAgreed = (place: string) =>
        [path, realpathSync(path)].some((path) => isGranted(asObject(state[`${path}:${place}`])))
      const known = Object.keys(codexHooks.events).filter((event) => !(event in lateSeconds)) // by every version
      return known.every((event) => {
        const places = placesOfOurs(event, asArray(groups[event]))
        return places.length > 0 && places.every(isAgreed)
      })
    } catch {
      return undefined
    }
  },
})

/**
 * Positions of our commands among all of an event, as Codex writes them:
 * `session_start:<group>:<command>`.
 */
function placesOfOurs(event: string, groups: Json[]): string[] {
  const name = event.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()
  const isOurs = (hook: Json) => isHookCommand(asString(asObject(hook).command))
  return groups.flatMap((group, index) =>
    asArray(asObject(group).hooks).flatMap((hook, inGroup) => (isOurs(hook) ? [`${name}:${index}:${inGroup}`] : [])),
  )
}

/** The user's decision on each hook; empty without a configuration file. */
function trustState(path: string): JsonObject {
  try {
    return asObject(asObject((parse(readFileSync(path, 'utf8')) as JsonObject).hooks).state)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

function isGranted({ trusted_hash, enabled }: JsonObject): boolean {
  return optionalString(trusted_hash) !== undefined && enabled !== false
}
