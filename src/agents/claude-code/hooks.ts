// Claude Code, hooks as seen in 2.1.197 and 2.1.325. Only event names that every version with hooks
// knows: before 2.1.78 an unknown one (StopFailure) makes it skip the whole settings.json. A failed
// turn is noticed at the next event instead. Without a timeout a SessionEnd hook is killed after
// 1.5 s. PreCompact (since 1.0.48) only before an automatic compaction: after /compact Claude Code
// prints command and output of the hook to the user and to the model.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTextOrEmpty } from '../../core/files.ts'
import type { Machine } from '../../core/paths.ts'
import type { Json } from '../../core/session.ts'
import type { HookFile, Hooks, PluginTrace, PluginTraces } from '../agent.ts'
import { groupedHooks, pluginName, promptHook, promptTimeoutSeconds, toolHook } from '../hook-groups.ts'
import { asObject, parseJson } from '../json-values.ts'

export const claudeCodeHooks: Hooks = {
  ...claudeHooks(home),
  plugin: 'claude',
  hasPlugin(machine) {
    const enabled = asObject(parseJson(settingsOf(home(machine)))).enabledPlugins
    return asObject(enabled)[pluginName] === true
  },
  pluginTraces,
}

/** As 2.1.325 writes them. */
function pluginTraces(machine: Machine, marketplace: string): PluginTraces {
  const folder = join(home(machine), 'plugins')
  const paths = {
    settings: join(home(machine), 'settings.json'),
    marketplaces: join(folder, 'known_marketplaces.json'),
    installed: join(folder, 'installed_plugins.json'),
  }
  const [name] = pluginName.split('@') as [string]
  const trace = (path: string, at: readonly string[][], made: string[][], empty: Json): PluginTrace => {
    const content: Json = asObject(parseJson(readTextOrEmpty(path)))
    const valueAt = (keys: readonly string[]) =>
      keys.reduce<Json | undefined>((value, key) => asObject(value)[key], content)
    const entries = at.flatMap((keys) => {
      const value = valueAt(keys)
      return value === undefined ? [] : [{ at: keys, fallback: value }]
    })
    return { file: { kind: 'json', path, entries }, made, empty }
  }
  const sourceIn = (marketplaces: Json | undefined) => asObject(asObject(asObject(marketplaces)[name]).source).path
  const settings = asObject(parseJson(settingsOf(home(machine))))
  const known = asObject(parseJson(readTextOrEmpty(paths.marketplaces)))
  return {
    isNoted: [sourceIn(settings.extraKnownMarketplaces), sourceIn(known)].includes(marketplace),
    files: [
      trace(
        paths.settings,
        [
          ['enabledPlugins', pluginName],
          ['extraKnownMarketplaces', name],
        ],
        [['enabledPlugins'], ['extraKnownMarketplaces']],
        {},
      ),
      trace(paths.marketplaces, [[name]], [], {}),
      trace(paths.installed, [['plugins', pluginName]], [], { version: 2, plugins: {} }),
    ],
    folders: [join(folder, 'cache', name)],
  }
}

export function claudeHooks(home: Hooks['home']): Hooks {
  return groupedHooks({
    events: { SessionStart: 'start', Stop: 'turn', PreCompact: 'compact', SessionEnd: 'end' },
    matcherOf: (event) => (event === 'PreCompact' ? 'auto' : undefined),
    summaryEvent: 'PreCompact',
    prompt: promptHook('UserPromptSubmit', promptTimeoutSeconds),
    // PostToolUseFailure is unknown to versions that skip a file with unknown names (before 2.1.78).
    hints: {
      failure: toolHook('PostToolUseFailure', 'Bash'),
      edit: toolHook('PreToolUse', 'Edit|MultiEdit|Write|NotebookEdit'),
    },
    home,
    file: 'settings.json',
    rejects: ['comment', 'trailing comma'],
    // Claude Code asks for no approval, but hooks can be switched off altogether.
    isTrusted: (machine) => (/"disableAllHooks"\s*:\s*true/.test(settingsOf(home(machine))) ? false : undefined),
    internal: { variable: 'CLAUDE_INVOKED_BY' },
  })
}

/** Empty if there is none. */
function settingsOf(home: string): string {
  try {
    return readFileSync(join(home, 'settings.json'), 'utf8')
  } catch {
    return ''
  }
}

/** `statusLine` of the settings, as documented; seen to be run by 2.1.325. */
export function claudeCodeStatusLine(machine: Machine, command: string): HookFile {
  return {
    kind: 'json',
    path: join(home(machine), 'settings.json'),
    entries: [{ at: ['statusLine'], fallback: { type: 'command', command } }],
    rejects: ['comment', 'trailing comma'],
  }
}

function home(machine: Machine): string {
  return configuredHomes(machine)[0] ?? join(machine.home, '.claude')
}

export function configuredHomes({ env }: Machine): string[] {
  const paths = env.CLAUDE_CONFIG_DIR?.split(',').map((path) => path.trim()) ?? []
  return paths.filter((path) => path !== '')
}
