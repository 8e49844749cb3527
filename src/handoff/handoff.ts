// Writes a session as a transcript of another agent, in the place where that agent looks for it, so
// that it continues the conversation. The keys of its events are registered first: whenever the
// process is killed, capture never counts them again, and the file is whole or missing.
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Agent, NativeTranscript } from '../agents/agent.ts'
import { type Clock, isoTime } from '../core/clock.ts'
import type { ConversationItem } from '../core/conversation/conversation.ts'
import { UserError } from '../core/errors.ts'
import { writeAtomically, writeNewFile } from '../core/files.ts'
import type { Machine } from '../core/paths.ts'
import { resumeCommand, sessionId, shortId } from '../core/session.ts'
import { commandInFolder, ownCommand } from '../core/shell/command-line.ts'
import { plural } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'
import { hashKey } from '../store/sessions/events.ts'
import { markHandoffWritten, registerHandoff } from '../store/sessions/handoffs.ts'
import type { SessionView } from '../store/sessions/sessions.ts'
import { estimateTokens } from '../text/tokens.ts'
import { shortLine } from '../text/truncate.ts'
import { cleanUpHandoffs } from './clean-up.ts'
import { conversationOf, type SessionConversation } from './conversation.ts'
import { type FittedConversation, fitConversation } from './fit.ts'
import { readBack } from './read-back.ts'
import { sessionEvents } from './session-events.ts'
import { summaryWords } from './summary.ts'

export interface HandoffContext {
  ledger: Ledger
  clock: Clock
  machine: Machine
  agents: readonly Agent[]
}

export interface HandoffRequest {
  session: SessionView
  to: Agent
  maxTokens: number
  /** Everything: also from before a compaction, without a limit. */
  isFull: boolean
  /** Another place than the agent's own. */
  out?: string
}

export interface HandoffResult {
  path: string
  /** The agent's own id of the new session. */
  id: string
  agent: string
  /** What continues it. */
  command: string
  /** Events of the new transcript, and items of the conversation that were left out or shortened. */
  events: number
  omitted: number
  shortened: number
}

/** Undefined if nothing of the conversation is stored, or the agent has no form for it. */
export function handOver(context: HandoffContext, request: HandoffRequest): HandoffResult | undefined {
  const { ledger, machine, agents } = context
  const { session, to } = request
  const target = to.handoff
  if (!target) return undefined
  if (session.cwd === null)
    throw new UserError(
      `The folder of ${session.id} is not known, so ${to.name} would not find the session`,
      'To print what is known about it instead: add --packet',
      1,
    )
  cleanUpHandoffs(ledger)
  const source = { agents, cwd: session.cwd, isSubagent: session.lineage === 'subagent' }
  const conversation = conversationOf(sessionEvents(ledger, session.id), source, request.isFull)
  const isEmpty = conversation.summary === undefined && conversation.items.every(({ kind }) => kind === 'note')
  if (isEmpty) return undefined
  const at = isoTime(context.clock.nowMs())
  const fitted = request.isFull
    ? { items: conversation.items, omitted: 0, shortened: 0 }
    : fitConversation(conversation.items, request.maxTokens - estimateTokens(conversation.summary ?? ''))
  const native = target.write(
    {
      origin: {
        agent: agents.find(({ id }) => id === session.agent)?.name ?? session.agent,
        session: session.id,
        title: session.title,
        started: session.started,
        ended: session.ended,
        handedOverAt: at,
        notes: notesOn(conversation, fitted, session),
      },
      cwd: session.cwd,
      branch: session.branch,
      title: session.title,
      items: withSummary(conversation.summary, fitted.items),
    },
    machine,
  )
  const events = readBack(to, native, ledger.layout)
  const path = request.out === undefined ? join(native.root, native.files.at(-1)!.path) : resolve(request.out)
  if (existsSync(path)) throw fileExistsError(path)
  const uid = sessionId(to.id, native.id)
  registerHandoff(
    ledger,
    { session: uid, origin: session.id, throughSeq: session.counts.events, path, at },
    events.map(({ key }) => hashKey(to.id, key)),
    process.pid,
  )
  writeFiles(native, path, request.out === undefined, ledger.layout.run)
  markHandoffWritten(ledger, uid)
  const resume = resumeCommand(agents, uid) ?? []
  return {
    path,
    id: native.id,
    agent: to.id,
    command: commandInFolder(session.cwd, resume, machine.platform) ?? resume.join(' '),
    events: events.length,
    omitted: fitted.omitted,
    shortened: fitted.shortened,
  }
}

function withSummary(summary: string | undefined, items: readonly ConversationItem[]): ConversationItem[] {
  if (summary === undefined) return [...items]
  const text = `Summary of the conversation so far, which the agent wrote when it compacted it:\n${summaryWords(summary)}`
  return [{ kind: 'note', ts: items[0]?.ts ?? null, text }, ...items]
}

function notesOn(
  { summary, items }: SessionConversation,
  { omitted, shortened }: FittedConversation,
  { id, evictedAt }: SessionView,
): string[] {
  const first = omitted > 0 && summary === undefined ? items.find(({ kind }) => kind === 'prompt') : undefined
  const begun = first && first.kind !== 'call' ? ` It began with: "${shortLine(first.text, 600)}"` : ''
  return [
    summary === undefined ? '' : 'It was compacted: the summary stands for everything before.',
    omitted > 0 ? `The oldest ${plural(omitted, 'message or call', 'messages and calls')} are left out.${begun}` : '',
    shortened > 0 ? `Long texts of ${plural(shortened, 'older call')} are shortened.` : '',
    evictedAt === null ? '' : 'A part of it was deleted to save space and is missing.',
    omitted + shortened > 0 || summary !== undefined
      ? `The whole of it: ${ownCommand('show', shortId(id), '--full')}`
      : '',
  ].filter((note) => note !== '')
}

/** Files beside the transcript may belong to other sessions too: those that exist stay. */
function writeFiles({ root, files }: NativeTranscript, path: string, hasOthers: boolean, staging: string): void {
  for (const file of hasOthers ? files.slice(0, -1) : []) {
    const beside = join(root, file.path)
    mkdirSync(dirname(beside), { recursive: true })
    if (!existsSync(beside)) writeAtomically(beside, file.content)
  }
  writeHandedOver(path, files.at(-1)!.content, staging)
}

/** A link exists, also if nothing is where it leads. */
export function writeHandedOver(path: string, content: string, staging: string): void {
  try {
    writeNewFile(path, [Buffer.from(content)], { staging })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? fileExistsError(path) : error
  }
}

function fileExistsError(path: string): UserError {
  return new UserError(`${path} exists already`, 'Name a file that does not exist yet.')
}
