// Factory Droid, hooks as read in 0.225.2. They are in settings.json below `hooks`, or in
// hooks.json without that key; an event in hooks.json overrides settings.json. Versions about 0.186
// do not read hooks.json.
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
    // Never create a hooks.json or add an event to it: that would disable the user's hooks in
    // settings.json.
    const path = [join(home, 'hooks.json'), join(home, 'hooks', 'hooks.json')].find((path) => existsSync(path))
    const named = path ? eventsIn(path).filter((event) => event in droidHooks.events) : []
    const rejects = ['trailing comma'] as const
    const first = { kind: 'json', path: join(home, 'settings.json'), entries, rejects } as const
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
