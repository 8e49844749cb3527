// Cursor, hooks as documented in 2026, for its editor and its command line. An unknown event name
// makes it reject the whole file. `stop` is sent at every end of a turn, with a `status`. The
// editor may send the first prompt before it has the brief (open in 3.12); the command line waits
// for it.
import { join } from 'node:path'
import type { Hooks } from '../agent.ts'
import { hookEntries, hookTimeoutSeconds } from '../hook-groups.ts'

export const cursorHooks: Hooks = {
  events: { sessionStart: 'start', stop: 'turn', preCompact: 'compact', sessionEnd: 'end' },
  brief: { before: '{"additional_context":', after: '}' },
  // Transcripts move with CURSOR_DATA_DIR, hooks do not.
  home: ({ home }) => join(home, '.cursor'),
  files(machine, command) {
    const entries = [
      { at: ['version'], fallback: 1 },
      ...hookEntries(cursorHooks.events, (event) => ({ command: command(event), timeout: hookTimeoutSeconds })),
    ]
    return [{ kind: 'json', path: join(cursorHooks.home(machine), 'hooks.json'), entries }]
  },
  sender: {
    folderVariable: 'CURSOR_PROJECT_DIR',
    payloadFields: ['cursor_version', 'sessionId'],
    recognises: (fields) => fields.has('conversation_id') || fields.has('cursor_version'),
  },
}
