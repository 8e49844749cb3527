// Windsurf, hooks as documented in 2026; not tried. This one event makes the editor write a
// transcript after every answer; without it there is none. No hook can add text to a conversation.
import { join } from 'node:path'
import type { Hooks } from '../agent.ts'
import { hookEntries } from '../hook-groups.ts'

export const windsurfHooks: Hooks = {
  events: { post_cascade_response_with_transcript: 'turn' },
  home: ({ home }) => join(home, '.codeium', 'windsurf'),
  files(machine, command) {
    const entries = hookEntries(windsurfHooks.events, (event) => ({ command: command(event), show_output: false }))
    return [{ kind: 'json', path: join(windsurfHooks.home(machine), 'hooks.json'), entries }]
  },
}
