import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { appendLog } from '../core/files.ts'
import { finishSyncs } from './background-sync.ts'
import type { ServeOptions } from './server.ts'
import { createServer } from './server.ts'

/** Agents kill a server that does not end soon after its input; the next sweep sends the rest. */
const maxFinishMs = 5000

/**
 * Serves until standard input ends. Errors go to the log: standard output belongs to the protocol,
 * and some agents show standard error to the user.
 */
export async function serveOnStdio({ version, cwd, layout, clock }: ServeOptions): Promise<void> {
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve))
  serveStdio(() => createServer(version, { kind: 'stdio', cwd }), {
    onerror: (error) => appendLog(layout.logs, 'mcp', clock, error.message),
  })
  await ended
  await finishSyncs(maxFinishMs)
}
