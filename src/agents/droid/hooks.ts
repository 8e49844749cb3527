// Factory Droid, hooks as read in 0.225.2. They stand in settings.json below `hooks`, and in hooks.json without that key; an
// event that hooks.json names is taken from there alone. Versions about 0.186 do not read hooks.json at all.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hooks } from '../agent.ts'
import { hookEntries, hookGroup, hookTimeoutSeconds, sessionStartAnswer } from '../hook-groups.ts'
import { asObject, parseJson } from '../json-values.ts'

export const droidHooks: Hooks = {
  events: { SessionStart: 'start', Stop: 'turn', PreCompact: 'compact', SessionEnd: 'end' },
  brief: sessionStartAnswer,
  home: ({ home }) => join(home, '.factory'),
  files(machine, command) {
    const home = droidHooks.home(machine)
    const group = (event: string) => hookGroup(command(event), hookTimeoutSeconds)
    const entries = hookEntries(droidHooks.events, group)
    // Never a new hooks.json, nor a new event in it: that would silence what the user has in settings.json.
    const path = [join(home, 'hooks.json'), join(home, 'hooks', 'hooks.json')].find((path) => existsSync(path))
    const named = path ? eventsIn(path).filter((event) => event in droidHooks.events) : []
    const first = { kind: 'json', path: join(home, 'settings.json'), entries } as const
    if (!path || named.length === 0) return [first]
    return [first, { kind: 'json', path, entries: named.map((event) => ({ at: [event], item: group(event) })) }]
  },
}

function eventsIn(path: string): string[] {
  try {
    return Object.keys(asObject(parseJson(readFileSync(path, 'utf8'))))
  } catch {
    return []
  }
}
