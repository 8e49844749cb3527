// One record after the other: which part of the reader it belongs to.
import type { Json } from '../../core/session.ts'
import type { LogReader, ReaderOutput } from '../agent.ts'
import { asIsoTime, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { readAssistant } from './assistant.ts'
import { readAttachment } from './attachment.ts'
import { isForked, placeOf } from './place.ts'
import { type Reading, remember, startReading, stateOf, subagentSession } from './reading.ts'
import { readSystem } from './system.ts'
import { readUser } from './user.ts'

export function openTranscript(path: string, out: ReaderOutput, state: Json | undefined): LogReader {
  const reading = startReading(path, out, state)
  if (state === undefined && reading.isSubagent) reading.isCopy = isForked(path)
  return {
    record(record) {
      reading.session ||= subagentSession(record, path)
      if (!reading.session) return out.unknownType('subagent record that names no session')
      readRecord(record, reading)
    },
    state: () => stateOf(reading),
  }
}

function readRecord(record: JsonObject, reading: Reading): void {
  const type = typeOf(record)
  switch (type) {
    case 'user':
      return readUser(record, placeOf(record, reading), reading)
    case 'assistant':
      return readAssistant(record, placeOf(record, reading), reading)
    case 'system':
      return readSystem(record, placeOf(record, reading), reading)
    case 'attachment':
      return readAttachment(record, placeOf(record, reading), reading)
    case 'summary':
      return readSummary(record, reading)
    case 'agent-name':
      return title(reading, asString(record.agentName), 2)
    case 'ai-title':
      return title(reading, asString(record.aiTitle), 3)
    case 'custom-title':
      return title(reading, asString(record.customTitle), 4)
    case 'pr-link':
      return happened(reading, optionalString(record.prUrl), 'Pull request', record)
    case 'continued-in':
      return happened(reading, optionalString(record.continuedInSessionId), 'Continued in session', record)
    case 'ended-by-model':
      return happened(reading, 'the model', 'Ended by', record)
    case 'fork-context-ref': // later versions refer to the parent's talk instead of copying it
      reading.isCopy = false
      return
    case 'relocated':
      return relocate(reading, optionalString(record.relocatedCwd))
    default:
      if (!passedOver.has(type)) reading.out.unknownType(type || 'record without type')
  }
}

/** Very old versions wrote no type beside the message. */
function typeOf(record: JsonObject): string {
  return asString(record.type) || asString(asObject(record.message).role)
}

/** State and machinery that say nothing which the chain records do not say. */
const passedOver = new Set(
  `progress last-prompt mode permission-mode file-history-snapshot file-history-delta queue-operation agent-color
   agent-setting tag worktree-state content-replacement cost-state bridge-session frame-link atis-latch
   api-request api-request-shape api-request-blob tools-used started launched result failed`.split(/\s+/),
)

/** A summary names the record it was made at, and stands as often in the file of another session as in its own. */
function readSummary(record: JsonObject, reading: Reading): void {
  const leaf = asString(record.leafUuid)
  if (reading.seen.has(leaf.slice(0, 8))) return title(reading, asString(record.summary), 1)
  remember(reading.summaries, leaf, asString(record.summary), 20)
}

/** Titles are written again with every prompt. */
function title(reading: Reading, value: string, titleRank: number): void {
  if (!value || reading.titles.get(titleRank) === value) return
  reading.titles.set(titleRank, value)
  reading.out.session(reading.session).about({ title: value, titleRank })
}

/** The same record is written again and again: the session and what it names are its identity. */
function happened(reading: Reading, what: string | undefined, words: string, record: JsonObject): void {
  if (!what) return
  reading.out.session(reading.session).event({
    id: '',
    key: `${reading.session}/${words}/${what}`,
    kind: 'lifecycle',
    role: 'system',
    ts: asIsoTime(record.timestamp),
    text: `${words} ${what}`,
  })
}

function relocate(reading: Reading, cwd: string | undefined): void {
  if (!cwd) return
  reading.folders.set(reading.session, cwd)
  reading.out.session(reading.session).about({ cwd })
}
