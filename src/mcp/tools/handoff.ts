// handoff: the packet of a session, for an agent that goes on with it.
import * as z from 'zod'
import { UserError } from '../../core/errors.ts'
import { packetOf } from '../../handoff/packet.ts'
import { lookUpSessions } from '../../history/resume.ts'
import { listSessions, type SessionView } from '../../store/sessions/sessions.ts'
import { requestedProject } from '../client-project.ts'
import type { ToolCall } from '../tool-result.ts'

export const handoffInput = z.strictObject({
  session: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('id of a session, a unique part of it, or words about it (default: the last one of this project)'),
})

export function handoff(call: ToolCall, input: z.infer<typeof handoffInput>): string {
  const { app, ledger } = call
  const session = input.session === undefined ? lastSession(call) : namedSession(call, input.session)
  return packetOf({ ledger, clock: app.clock, zone: app.zone }, session).text
}

function namedSession({ app, ledger }: ToolCall, words: string): SessionView {
  const found = lookUpSessions(ledger, { words, project: undefined, nowMs: app.clock.nowMs() }, 1)
  if (found.length === 1) return found[0]!
  if (found.length === 0) throw new UserError(`No session "${words}"`, 'To find session ids: session_search', 1)
  const ids = found.map(({ id }) => id).join(', ')
  throw new UserError(`"${words}" matches ${found.length} sessions`, `Give more of the id: ${ids}`)
}

/** The session of the caller is not what it wants to go on with. */
function lastSession(call: ToolCall): SessionView {
  const project = requestedProject(call, undefined)
  const recent = listSessions(call.ledger, {
    ...(project === undefined ? {} : { project }),
    ...{ isConversation: true, limit: 2 },
  })
  const last = recent.find(({ id }) => id !== call.source.session)
  if (last) return last
  throw new UserError('This project has no earlier session', 'To find session ids: session_search', 1)
}
