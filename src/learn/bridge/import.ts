// Imports the memories that agents keep themselves. Importing again changes nothing, a changed note
// supersedes its earlier version, and forgotten memories stay forgotten.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import type { Agent, NativeFile, NativeNote } from '../../agents/agent.ts'
import { ignoredFolders } from '../../capture/discover.ts'
import { isoTime } from '../../core/clock.ts'
import type { Config } from '../../core/config/config.ts'
import { messageOf } from '../../core/errors.ts'
import type { Machine } from '../../core/paths.ts'
import { expandHome, matchesGlob } from '../../core/paths.ts'
import { findRepository, type ProjectRules, projectOf } from '../../core/project/project.ts'
import { compare } from '../../memory/compare.ts'
import type { MemoryDraft } from '../../memory/draft.ts'
import type { Memory, MemoryKind, MemoryType } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { changeMemories } from '../../store/memories/changes.ts'
import { memoriesByOriginFile, projectOfTranscripts, sessionFolders } from '../../store/memories/files.ts'
import { projectOfSession } from '../../store/memories/learning.ts'
import { projectOfFolder } from '../../store/sessions/projects.ts'
import { splitSentences } from '../../text/sentences.ts'
import { sharedCount } from '../../text/similarity.ts'
import { statementTermSet } from '../../text/statement.ts'
import { truncate } from '../../text/truncate.ts'
import { type AdmissionContext, type AdmissionReport, admit } from '../admission/admit.ts'
import type { RememberedExchange } from '../context.ts'
import { parseBody } from '../files/body.ts'
import { forgetGoneNotes, type GoneNote, rememberNoteFiles } from './gone-notes.ts'
import { sortNotes, splitNote } from './notes.ts'

export interface ImportContext extends AdmissionContext {
  agents: readonly Agent[]
  machine: Machine
  config: Config
  loadTools(): Promise<{ redact(texts: readonly string[]): { texts: string[] } }>
}

export interface ImportOptions {
  /** Only this agent. */
  agent?: string
  isDryRun?: boolean
  /** Exchanges in which the agent wrote these memories: what the user said in them is the user's. */
  exchanges?: readonly RememberedExchange[]
}

export interface ImportReport extends AdmissionReport {
  files: number
  /** Notes that were imported before. */
  known: number
  /** Memories with the same statement but another reason or use. */
  updated: Memory[]
  /** Memories whose notes are no longer there. */
  forgotten: Memory[]
  skipped: { path: string; reason: string }[]
}

export async function importNative(context: ImportContext, options: ImportOptions = {}): Promise<ImportReport> {
  const { ledger, clock, agents, machine } = context
  const { redact } = await context.loadTools()
  const report: Omit<ImportReport, keyof AdmissionReport> = {
    files: 0,
    known: 0,
    updated: [],
    forgotten: [],
    skipped: [],
  }
  const origins = memoriesByOriginFile(ledger)
  const drafts: MemoryDraft[] = []
  const gone: GoneNote[] = []
  const paths: string[] = []
  const isAsked = ({ id }: Agent) =>
    options.agent ? id === options.agent : !context.config.capture.skipAgents.includes(id)
  for (const agent of agents.filter((one) => one.memories && isAsked(one))) {
    for (const file of agent.memories!.find(machine)) {
      report.files++
      const redacted = (text: string) => redact([text]).texts[0]!
      const writer = options.exchanges?.find(({ paths }) => paths.includes(file.path))?.session
      const notes = readNotes(context, { agent, file, writer }, redacted)
      if (typeof notes === 'string') {
        report.skipped.push({ path: file.path, reason: notes })
        continue
      }
      const { fresh, updated, known, ...sorted } = sortNotes(ledger, file.path, notes, origins.get(file.path) ?? [])
      paths.push(file.path)
      gone.push(...sorted.gone.map((memory) => ({ path: file.path, memory })))
      report.known += known
      drafts.push(...fresh.map((draft) => attributed(draft, options.exchanges ?? [])))
      report.updated.push(...updated)
    }
  }
  const at = isoTime(clock.nowMs())
  const change = { kind: 'imported' as const, about: `memories of ${options.agent ?? 'agents'}`, at }
  const write = () => {
    if (report.updated.length > 0) changeMemories(ledger, change, report.updated)
    const admitted = admit(context, drafts, change)
    rememberNoteFiles(ledger, paths)
    const { forgotten, proposed } = forgetGoneNotes(context, gone)
    report.forgotten = forgotten
    return { ...admitted, inbox: [...admitted.inbox, ...proposed] }
  }
  const admitted = options.isDryRun ? dryRun(context, write) : ledger.transaction(write)
  return { ...report, ...admitted }
}

/** A note that repeats the words of the user is the user's, although the agent wrote it down. */
function attributed(draft: MemoryDraft, exchanges: readonly RememberedExchange[]): MemoryDraft {
  if (draft.trust !== 'agent said') return draft
  for (const { session, said } of exchanges) {
    for (const { prompt, event } of said) {
      const quote = splitSentences(prompt).find((sentence) => states(sentence, draft.text))
      if (quote === undefined) continue
      const evidence = [...draft.evidence, { session, event: event || null, quote }]
      return { ...draft, trust: 'user said', evidence }
    }
  }
  return draft
}

/** Whether a sentence contains every term of a statement, and does not say the opposite. */
function states(said: string, statement: string): boolean {
  // A question has no opposite, but "…, do we?" says what it asks.
  const sentence = said.replace(/\?\s*$/, '.')
  const terms = statementTermSet(statement)
  const isComplete = terms.size > 1 && sharedCount(terms, statementTermSet(sentence)) === terms.size
  return isComplete && compare(sentence, statement).kind !== 'conflict'
}

/** Admits the drafts and rolls the transaction back. */
function dryRun({ ledger }: ImportContext, write: () => AdmissionReport): AdmissionReport {
  let report: AdmissionReport | undefined
  try {
    ledger.transaction(() => {
      report = write()
      throw rollback
    })
  } catch (error) {
    if (error !== rollback) throw error
  }
  return report!
}

const rollback = new Error('only tried')

const maxBytes = 1 << 20

/** The notes of a file as drafts, or the reason why there are none. */
function readNotes(
  context: ImportContext,
  source: FileSource,
  redacted: (text: string) => string,
): MemoryDraft[] | string {
  const { agent, file } = source
  try {
    const { size, mtimeMs } = statSync(file.path)
    if (size > maxBytes) return `larger than ${maxBytes} bytes`
    const ignored = ignoredFolders(context.config, context.machine)
    if (file.transcripts && isIgnoredFolder(basename(file.transcripts), ignored)) return 'its folder is ignored'
    const notes = agent
      .memories!.read(file, redacted(readFileSync(file.path, 'utf8')))
      .filter(({ scope }) => scope?.kind !== 'folder' || !isIgnoredFolder(scope.folder, ignored))
    const projects = notes.map((note) => projectOfNote(context, source, note))
    if (projects.includes(undefined)) return 'the project that it belongs to is not known'
    const at = isoTime(Math.floor(mtimeMs))
    return notes.flatMap((note, index) => candidatesOf({ agent, file, note, project: projects[index]!, at }))
  } catch (error) {
    return messageOf(error)
  }
}

interface FileSource {
  agent: Agent
  file: NativeFile
  /** The session that has just written it, if one is known. */
  writer: string | undefined
}

/**
 * In a folder that all projects share, a note belongs to the project of the session that wrote it.
 * If that is not known it holds everywhere, as it does for the agent.
 */
function projectOfNote(
  { ledger, config, machine }: ImportContext,
  { agent, file, writer }: FileSource,
  { scope, session }: NativeNote,
) {
  if (scope?.kind === 'everywhere') return null
  if (scope?.kind === 'folder') return projectAround(ledger, expandHome(scope.folder, machine.home), config.projects)
  if (file.transcripts) return projectOfTranscriptFolder(ledger, file.transcripts, config.projects)
  const origin = session ? `${agent.id}:${session}` : writer
  return origin ? projectOfSession(ledger, origin) : null
}

interface NoteSource {
  agent: Agent
  file: NativeFile
  note: NativeNote
  project: string | null
  at: string
}

function candidatesOf({ agent, file, note, project, at }: NoteSource): MemoryDraft[] {
  const { text, why, apply } = parseBody(note.text)
  const type = note.type ?? (project === null ? 'user' : 'project')
  const pieces = splitNote(text, note.headings)
  return pieces.map((piece, index) => ({
    project,
    type,
    kind: note.kind ?? kindOf[type],
    status: 'settled',
    text: piece,
    why: index === 0 ? shortOrNull(why) : null,
    apply: index === 0 ? shortOrNull(apply) : null,
    because: 'agent',
    score: null,
    importance: 0.6,
    tags: [agent.id],
    keywords: note.headings
      .flatMap((heading) => heading.split(/\W+/))
      .filter((word) => word.length > 2)
      .slice(0, 10),
    evidence: [
      {
        session: note.session ? `${agent.id}:${note.session}` : null,
        event: markOf([piece, why, apply, type, project]),
        quote: truncate(piece, 300),
        file: file.path,
      },
    ],
    trust: note.trust,
    at,
  }))
}

const kindOf: Record<MemoryType, MemoryKind> = {
  user: 'fact',
  feedback: 'preference',
  project: 'fact',
  reference: 'fact',
}

function shortOrNull(text: string | null): string | null {
  return text === null ? null : truncate(text, 1000)
}

/** Equal notes have equal marks: that is how a known note is recognised. */
function markOf(parts: readonly (string | null)[]): string {
  return `note-${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12)}`
}

/** The project of a folder that a note names. */
function projectAround(ledger: Ledger, folder: string, rules: ProjectRules): string {
  return projectOfFolder(ledger, folder) ?? projectOf(folder, undefined, rules).key
}

/**
 * Finds the project by the sessions whose transcripts lie in the same folder, then by a session's
 * folder or repository whose path gives this name, then by such a folder on disk. Undefined if
 * there is none.
 */
function projectOfTranscriptFolder(ledger: Ledger, folder: string, rules: ProjectRules): string | undefined {
  const project = projectOfTranscripts(ledger, folder, sep)
  if (project) return project
  const name = basename(folder)
  for (const { cwd, project } of sessionFolders(ledger)) {
    const root = existsSync(cwd) ? findRepository(cwd)?.root : undefined
    if (mangled(cwd) === name || (root && mangled(root) === name)) return project
  }
  const found = folderNamed(name)
  return found && projectOf(found, undefined, rules).key
}

/**
 * Notes of folders that are never captured are not imported. In a name made from a path, every dash
 * may be a slash.
 */
function isIgnoredFolder(folder: string, patterns: readonly string[]): boolean {
  const plain = (path: string) => path.replace(/[^A-Za-z0-9*?]/g, '/')
  return patterns.some((pattern) => matchesGlob(plain(folder), plain(pattern.replace(/[/\\]+$/, ''))))
}

function mangled(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, '-')
}

/**
 * Walks down the folders whose names fit. A dash may stand for any character, so several are tried.
 */
function folderNamed(name: string, from = '/', tries = { left: 200 }): string | undefined {
  const done = from === '/' ? '' : mangled(from)
  if (done === name) return from
  if (!name.startsWith(`${done}-`) || tries.left-- <= 0) return undefined
  const fitting = subfolders(from).filter((child) => `${name}-`.startsWith(`${mangled(child)}-`))
  for (const child of fitting) {
    const found = folderNamed(name, child, tries)
    if (found) return found
  }
  return undefined
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name))
  } catch {
    return []
  }
}
