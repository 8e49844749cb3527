// Imports the memory of another program as one change, which can be undone. Statements pass
// admission, conversations become sessions, days and articles become files of the vault. Importing
// again changes nothing.
import type { CaptureContext } from '../capture/context.ts'
import { type LockOwner, withLock } from '../core/lock.ts'
import { plural, type Zone } from '../core/units.ts'
import { digest } from '../digest/digest.ts'
import { type AdmissionContext, type AdmissionReport, admit, emptyReport } from '../learn/admission/admit.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { buildWiki } from '../wiki/build.ts'
import { createImportChange } from './change.ts'
import { restoreMemories } from './memories.ts'
import { draftNotes } from './notes.ts'
import { importPages, type PageCounts } from './pages.ts'
import type { FoundSource } from './registry.ts'
import { createSessionImport, type SessionCounts } from './sessions.ts'
import type { ImportedArticle, ImportedDay, ImportedNote, ImportProblem } from './source.ts'

export interface SourceImportContext extends CaptureContext, AdmissionContext {
  zone: Zone
}

export interface SourceImportOptions {
  /** Project of all statements; null if they hold everywhere. */
  project: string | null
  isDryRun?: boolean
  onProgress?(done: number, of: number): void
  /** Called once if another process has to end first. */
  onWait?(owner: LockOwner | undefined): void
  maxWaitMs?: number
}

export interface SourceImportReport extends AdmissionReport {
  source: string
  path: string
  /** Statements that were imported before. */
  known: number
  /** Memories of an export that differ from those here, which were not changed. */
  left: Memory[]
  /** Memories of teams in an export. */
  ofTeams: number
  sessions: SessionCounts
  pages: PageCounts
  problems: ImportProblem[]
  /** Number of the change by which it is undone; null if nothing was changed. */
  change: number | null
}

export async function importSource(
  context: SourceImportContext,
  found: FoundSource,
  options: SourceImportOptions,
): Promise<SourceImportReport> {
  const { ledger, clock } = context
  if (options.isDryRun) return runImport(context, found, options)
  const lock = { clock, command: 'import', onWait: options.onWait, maxWaitMs: options.maxWaitMs }
  return withLock(ledger.layout, 'learn', lock, () =>
    withLock(ledger.layout, 'sweep', lock, () => runImport(context, found, options)),
  )
}

async function runImport(
  context: SourceImportContext,
  { source, path }: FoundSource,
  options: SourceImportOptions,
): Promise<SourceImportReport> {
  const { ledger, clock } = context
  const isDryRun = options.isDryRun ?? false
  const problems: ImportProblem[] = []
  const onProblem = (problem: ImportProblem) => void problems.push(problem)
  const change = createImportChange(ledger, clock, source.name)
  const tools = await context.loadTools()
  const redact = (text: string) => tools.redact([text]).texts[0]!
  const sessions = createSessionImport(context, { source: source.id, change, isDryRun, onProblem })
  const [notes, memories, pages]: [ImportedNote[], Memory[], (ImportedDay | ImportedArticle)[]] = [[], [], []]
  const total = source.countSessions?.(path) ?? 0
  let done = 0
  for await (const item of source.read(path, { problem: onProblem })) {
    switch (item.kind) {
      case 'note':
        notes.push(item)
        break
      case 'memory':
        memories.push(item.memory)
        break
      case 'session':
        options.onProgress?.(++done, total)
        await sessions.add(item)
        break
      case 'day':
      case 'article':
        pages.push(item)
        break
      default:
        item satisfies never
    }
  }
  const counts = await sessions.finish()
  const written = await importPages(context, pages, { source: source.id, name: source.name, change, isDryRun, redact })
  const admitted = tryTransaction(ledger, isDryRun, () => {
    const { drafts, known } = draftNotes(ledger, notes, {
      source: source.id,
      project: options.project,
      nowMs: clock.nowMs(),
      redact,
    })
    const report = drafts.length > 0 ? admit(context, drafts, change.begin()) : emptyReport()
    for (const { id } of report.candidates) change.record({ kind: 'candidate', name: id, hash: '' })
    const restored = restoreMemories(ledger, memories, { change, redact })
    return {
      ...report,
      kept: [...report.kept, ...restored.kept],
      inbox: [...report.inbox, ...restored.inbox],
      known: known + restored.known,
      left: restored.left,
      ofTeams: restored.ofTeams,
    }
  })
  const report = { source: source.id, path, ...admitted, sessions: counts, pages: written, problems }
  if (isDryRun) return { ...report, change: null }
  if (counts.written > 0) digest(context)
  const number = change.finish(aboutText(report, source.name))
  // Files of the vault are found by search once a build has read them.
  if (written.days.length + written.articles.length > 0) await buildWiki(context)
  return { ...report, change: number }
}

/** Rolls back if it was only tried. */
function tryTransaction<T>(ledger: Ledger, isDryRun: boolean, work: () => T): T {
  if (!isDryRun) return ledger.transaction(work)
  let result: { value: T } | undefined
  try {
    ledger.transaction(() => {
      result = { value: work() }
      throw onlyTried
    })
  } catch (error) {
    if (error !== onlyTried) throw error
  }
  return result!.value
}

const onlyTried = new Error('only tried')

/** `12 sessions of claude-mem`. */
function aboutText(
  { kept, candidates, sessions, pages }: Pick<SourceImportReport, 'kept' | 'candidates' | 'sessions' | 'pages'>,
  name: string,
): string {
  const parts: [number, string][] = [
    [kept.length, plural(kept.length, 'memory', 'memories')],
    [candidates.length, plural(candidates.length, 'candidate')],
    [sessions.written, plural(sessions.written, 'session')],
    [pages.days.length, plural(pages.days.length, 'day')],
    [pages.articles.length, plural(pages.articles.length, 'article')],
  ]
  const texts = parts.filter(([count]) => count > 0).map(([, text]) => text)
  return `${texts.join(', ') || 'memories'} of ${name}`
}
