// Writes imported sessions through the writer of captured ones: redacted, indexed, with a body. A
// session that an agent's own transcript was captured for is left out, because it is known in full.
// Nothing is learned from imported sessions, because it is not certain whose words they hold.
import type { Agent } from '../agents/agent.ts'
import { createCollector, partSize } from '../capture/collect.ts'
import type { CaptureContext, TranscriptPart } from '../capture/context.ts'
import { createIgnoreFilter, prepareBatch, type SessionWrite } from '../capture/prepare.ts'
import { writeBatch } from '../capture/write.ts'
import { lastPart } from '../core/project/project-names.ts'
import { sessionId } from '../core/session.ts'
import { hasSession, markLearnedCompletely } from '../store/imported.ts'
import type { Ledger } from '../store/ledger.ts'
import { allProjects } from '../store/sessions/projects.ts'
import { assignProject, contentHashOf, sessionUid } from '../store/sessions/sessions.ts'
import type { ImportChange } from './change.ts'
import type { ImportedSession, ImportProblem } from './source.ts'

export interface SessionCounts {
  /** New sessions, and ones that have more than before. */
  written: number
  events: number
  /** Imported before and unchanged. */
  known: number
  /** Captured from the transcript of their own agent. */
  captured: number
  /** In ignored folders, or deleted by the user. */
  left: number
}

export interface SessionImport {
  add(session: ImportedSession): Promise<void>
  /** Writes what is still waiting. */
  finish(): Promise<SessionCounts>
}

export interface SessionImportOptions {
  /** Id of the source, which is the agent of the sessions. */
  source: string
  change: ImportChange
  isDryRun: boolean
  onProblem(problem: ImportProblem): void
}

export function createSessionImport(
  context: CaptureContext,
  { source, change, isDryRun, onProblem }: SessionImportOptions,
): SessionImport {
  const { ledger } = context
  const counts: SessionCounts = { written: 0, events: 0, known: 0, captured: 0, left: 0 }
  let waiting: { part: TranscriptPart; project: string | undefined }[] = []
  let size = 0
  const flush = async () => {
    const parts = waiting.map(({ part }) => part)
    const projects = new Map(waiting.map(({ part, project }) => [nativeOf(part), project]))
    waiting = []
    size = 0
    const tools = { ...(await context.loadTools()), isIgnored: createIgnoreFilter(context) }
    const batch = prepareBatch(parts, tools)
    counts.left += parts.length - batch.writes.length
    const writes = batch.writes.filter((write) => contentHashOf(ledger, uidOf(write)) !== write.contentHash)
    counts.known += batch.writes.length - writes.length
    if (isDryRun) {
      counts.written += writes.length
      for (const { events } of writes) counts.events += events.length
      return
    }
    if (writes.length === 0) return
    ledger.transaction(() => {
      for (const write of writes) change.record({ kind: 'session', name: uidOf(write), hash: '' })
    })
    // One for each file, although a database has many sessions.
    const ends = [...new Map(batch.ends.map((end) => [end.cursor.path, end])).values()]
    const added = writeBatch(context, { ...batch, writes, ends }, ({ path, reason }) =>
      onProblem({ file: path, reason }),
    )
    counts.written += added.length
    counts.left += writes.length - added.length
    ledger.transaction(() => {
      for (const { session, events } of added) {
        counts.events += events.length
        markLearnedCompletely(ledger, session)
        const native = sessionUid(ledger, session).slice(source.length + 1)
        assignNamedProject(ledger, session, projects.get(native))
      }
    })
  }
  return {
    async add(session) {
      if (context.agents.some(({ id }) => hasSession(ledger, sessionId(id, session.native)))) {
        counts.captured++
        return
      }
      const part = partOf(source, session)
      waiting.push({ part, project: session.project })
      size += part.data.size
      if (size > partSize || waiting.length >= maxTogether) await flush()
    },
    async finish() {
      if (waiting.length > 0) await flush()
      return counts
    },
  }
}

/** Sessions that are written in one transaction, if they are small. */
const maxTogether = 200

function uidOf({ agent, native }: SessionWrite): string {
  return sessionId(agent, native)
}

function nativeOf({ data }: TranscriptPart): string {
  return [...data.sessions.keys()][0]!
}

/** The cursor has no stamp: an import reads everything again and compares. */
function partOf(source: string, { native, file, about, events }: ImportedSession): TranscriptPart {
  const collector = createCollector()
  const out = collector.out.session(native)
  out.about(about)
  for (const event of events) out.event(event)
  const agent: Agent = { id: source, name: source, roots: () => [], find: () => [] }
  const transcript = { shape: 'document' as const, path: file, read: () => undefined }
  return {
    found: { agent, transcript, stamp: '', size: 0, bornMs: 0, changedMs: 0 },
    data: collector.take(),
    cursor: { path: file, stamp: '', offset: 0, head: null, tail: null, state: undefined, isIgnored: false },
    from: Number.MAX_SAFE_INTEGER,
  }
}

/**
 * Other programs often know a project only by the name of its folder; that of a worktree follows the
 * name of the repository. A name that several projects have says nothing.
 */
function assignNamedProject(ledger: Ledger, session: number, name: string | undefined): void {
  if (name === undefined) return
  const projects = allProjects(ledger)
  const named = [name, name.split('/')[0]!].map((one) =>
    projects.filter(({ key }) => key === one || lastPart(key) === one),
  )
  const found = named.find(({ length }) => length === 1)
  if (found) assignProject(ledger, session, found[0]!.id)
}
