import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { appendLog } from '../core/files.ts'
import { finishSyncs } from './background-sync.ts'
import type { FirstMessage } from './initialize.ts'
import type { ServeOptions } from './server.ts'
import { createServer } from './server.ts'

/** Agents kill a server that does not end soon after its input; the next sweep sends the rest. */
const maxFinishMs = 5000

/**
 * Serves until standard input ends. Errors go to the log: standard output belongs to the protocol,
 * and some agents show standard error to the user.
 */
export async function serveOnStdio({ version, cwd, layout, clock }: ServeOptions, first: FirstMessage): Promise<void> {
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve))
  if (first.bytes.length > 0) process.stdin.unshift(first.bytes)
  serveStdio(() => createServer(version, { kind: 'stdio', cwd }), {
    transport: transportAfter(first),
    onerror: (error) => appendLog(layout.logs, 'mcp', clock, error.message),
  })
  await ended
  await finishSyncs(maxFinishMs)
}

/** The SDK reads the first message too, and its answer is left out if there was one. */
function transportAfter({ answered }: FirstMessage): StdioServerTransport {
  const transport = new StdioServerTransport()
  const send = transport.send.bind(transport)
  let isAnswered = answered !== undefined
  transport.send = async (message) => {
    const isRepeated = isAnswered && !('method' in message) && message.id === answered
    if (isRepeated) isAnswered = false
    else await send(message)
  }
  return transport
}
