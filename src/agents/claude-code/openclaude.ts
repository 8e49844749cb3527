// OpenClaude 0.29.1, as read in its source; no file of it was seen. Records and hooks are Claude Code's,
// with a few records of its own and a home of its own: it never uses CLAUDE_CONFIG_DIR.
import { join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import { asIsoTime, asString, optionalString } from '../json-values.ts'
import type { ClaudeDialect } from './state.ts'

export const openClaude: ClaudeDialect = {
  ignored: ['goal-state', 'task-summary', 'attribution-snapshot', 'speculation-accept', 'marble-origami-snapshot'],
  records: {
    'session-branch'(record, { out, session }) {
      const parent = optionalString(record.branchedFromSessionId) ?? optionalString(record.parentSessionId)
      if (parent) out.session(session).about({ kind: 'fork', parent })
    },
    // A part of the conversation is replaced by a summary.
    'marble-origami-commit'(record, { out, session }) {
      out.session(session).event({
        id: asString(record.summaryUuid),
        key: `${session}/collapse/${asString(record.collapseId)}`,
        kind: 'compaction',
        role: 'system',
        ts: asIsoTime(record.timestamp),
        text: asString(record.summary),
      })
    },
  },
}

export function openClaudeHome({ home, env }: Machine): string {
  return env.OPENCLAUDE_CONFIG_DIR || join(home, '.openclaude')
}
