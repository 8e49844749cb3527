// Reads what a transcript has beyond its cursor, redacted and without writing anything: for a hook
// that cannot wait for the worker.
import type { Event } from '../core/session.ts'
import { readCursor } from '../store/sessions/transcripts.ts'
import type { CaptureContext } from './context.ts'
import { discoverAt } from './discover.ts'
import { createIgnoreFilter } from './prepare.ts'
import { readParts } from './reading/read-batches.ts'
import { createEventRedactor } from './redact-batch.ts'

/** More is left to the worker. */
const maxBytes = 4_000_000

/** The new events of a session in a log; none of other transcripts, and none of ignored folders. */
export async function readUncaptured(
  context: Pick<CaptureContext, 'agents' | 'machine' | 'config' | 'ledger' | 'loadTools'>,
  agent: string,
  { path, native }: { path: string; native: string },
): Promise<Event[]> {
  const found = discoverAt(context, agent, path)
  const cursor = readCursor(context.ledger, path)
  if (found?.transcript.shape !== 'log' || found.size - (cursor?.offset ?? 0) > maxBytes) return []
  const isIgnored = createIgnoreFilter(context)
  const { redactEvent } = createEventRedactor((await context.loadTools()).redact)
  const events: Event[] = []
  for (const { data } of readParts(found, cursor)) {
    const gathered = data.sessions.get(native)
    if (!gathered || isIgnored(gathered.about.cwd)) continue
    for (const event of gathered.events) redactEvent(event)
    events.push(...gathered.events)
  }
  return events
}
