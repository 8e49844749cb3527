// Reads sessions of Kiro's later agent, which its editor and CLI 3 share: `session.json` and a log
// `messages.jsonl` per session, in a folder per workspace. From documentation and other readers
// only: no such file was seen.
import { basename, join } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { Json } from '../../core/session.ts'
import type { EventBase, LogReader, LogTranscript, ReaderOutput, SessionOutput } from '../agent.ts'
import {
  asArray,
  asIsoTime,
  asObject,
  asString,
  fingerprint,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { partsText } from '../kimi/content.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'

export function workspaceLogTranscript(folder: string): LogTranscript {
  const about = join(folder, 'session.json')
  const path = join(folder, 'messages.jsonl')
  return { shape: 'log', path, also: [about], open: (out, state) => openLog(folder, readAbout(about), { out, state }) }
}

function readAbout(path: string): JsonObject {
  try {
    return asObject(parseJson(readForeignText(path)))
  } catch {
    return {} // not written yet
  }
}

interface WorkspaceState {
  out: ReaderOutput
  native: string
  session: SessionOutput
  calls: PendingCalls
}

function openLog(
  folder: string,
  about: JsonObject,
  { out, state }: { out: ReaderOutput; state: Json | undefined },
): LogReader {
  const native = optionalString(about.id) ?? basename(folder)
  const session = out.session(native)
  session.about({
    cwd: optionalString(asArray(about.workspacePaths)[0]),
    model: optionalString(about.modelId),
    title: optionalString(about.title),
    titleRank: 1,
  })
  const reading = { out, native, session, calls: pendingCalls(asObject(state).calls) }
  return {
    record: (record, offset) => readMessage(record, offset, reading),
    state: () => ({ calls: reading.calls.state() }),
  }
}

function readMessage(record: JsonObject, offset: number, { out, native, session, calls }: WorkspaceState): void {
  const payload = asObject(record.payload)
  const type = asString(payload.type)
  const id = asString(record.id)
  const base: EventBase = { id, key: id || fingerprint(native, offset, type), ts: asIsoTime(record.timestamp) }
  const said = partsText(payload.content)
  switch (type) {
    case 'user':
      if (said.trim()) session.event({ ...base, kind: 'prompt', role: 'user', text: said })
      return
    case 'assistant':
      if (said.trim()) session.event({ ...base, kind: 'reply', role: 'assistant', text: said })
      return
    case 'tool_call': {
      const call = callOf(payload)
      const tool = optionalString(payload.toolName) ?? 'unknown'
      const input = payload.input ?? payload.args ?? {}
      return session.event(calls.open({ ...base, kind: 'tool_call', role: 'assistant', text: '', tool, call, input }))
    }
    case 'tool_result': {
      const output = payload.content ?? payload.output ?? payload.result
      const text = partsText(output) || (output === undefined ? '' : JSON.stringify(output))
      const error = payload.isError === true || payload.status === 'error' ? 'failed' : undefined
      const event = { ...base, kind: 'tool_result', role: 'tool', text, call: callOf(payload), error } as const
      return session.event(calls.close(event))
    }
    case 'turn_start':
    case 'turn_end':
    case 'usage_summary': // in credits
      return
    default:
      out.unknownType(`payload/${type}`)
  }
}

function callOf(payload: JsonObject): string | undefined {
  return optionalString(payload.toolCallId) ?? optionalString(payload.toolUseId) ?? optionalString(payload.callId)
}
