// kimi-code, wire protocol 1.4 (seen July 2026): state.json for the session and one wire log for each of its agents.
// A newer version rewrites the log of an older one when it opens it; the times of its records stay.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import type { LogReader, LogTranscript, Out, SessionOut } from '../agent.ts'
import { type CallBook, callBook } from '../calls.ts'
import { type ChangeBook, changeBook, lineCount } from '../changes.ts'
import { count, type Fields, fields, fingerprint, list, named, parseJson, text, time } from '../values.ts'
import { partsText, tellResult } from './parts.ts'

export function kimiCodeTranscript(folder: string, agentFolder: string): LogTranscript {
  const state = join(folder, 'state.json')
  return {
    shape: 'log',
    path: join(agentFolder, 'wire.jsonl'),
    also: [state],
    isNoise: (line) => line.subarray(0, 40).includes('"llm.tools_snapshot"'),
    open: (out, saved) => openWire(basename(folder), basename(agentFolder), readState(state), { out, saved }),
  }
}

function readState(path: string): Fields {
  try {
    return fields(parseJson(readFileSync(path, 'utf8')))
  } catch {
    return {} // not written yet
  }
}

interface Reading {
  out: Out
  native: string
  session: SessionOut
  isSubagent: boolean
  calls: CallBook
  /** Files that open calls are to change. */
  changes: ChangeBook
  /** Calls that a person has refused. */
  denied: Set<string>
  /** Texts that began a turn: each comes again when it enters the context. */
  echoes: Set<string>
}

function openWire(
  folder: string,
  agent: string,
  state: Fields,
  { out, saved: value }: { out: Out; saved: Json | undefined },
): LogReader {
  const saved = fields(value)
  const isSubagent = agent !== 'main'
  const native = isSubagent ? `${folder}/${agent}` : folder
  const reading: Reading = {
    out,
    native,
    session: out.session(native),
    isSubagent,
    calls: callBook(saved.calls),
    changes: changeBook(saved.changes),
    denied: new Set(list(saved.denied).map(text)),
    echoes: new Set(list(saved.echoes).map(text)),
  }
  describe(folder, agent, state, reading)
  return {
    record: (record, offset) => readRecord(record, offset, reading),
    state: () => ({
      calls: reading.calls.state(),
      changes: reading.changes.state(),
      denied: [...reading.denied].slice(-50),
      echoes: [...reading.echoes].slice(-50),
    }),
  }
}

/** A title that nobody gave is the first prompt, cut. */
function describe(folder: string, agent: string, state: Fields, { session, isSubagent }: Reading): void {
  session.about({ cwd: named(state.workDir) })
  if (!isSubagent) return session.about({ title: named(state.title), titleRank: state.isCustomTitle === true ? 4 : 1 })
  const parent = named(fields(fields(state.agents)[agent]).parentAgentId)
  session.about({ kind: 'subagent', parent: parent && parent !== 'main' ? `${folder}/${parent}` : folder })
}

function readRecord(record: Fields, offset: number, reading: Reading): void {
  const { session } = reading
  const type = text(record.type)
  const at = {
    id: '',
    ts: time(record.time),
    at: typeof record.time === 'number' ? record.time : `${reading.native}@${offset}`,
  }
  const keyed = (...parts: string[]) => ({ id: '', ts: at.ts, key: fingerprint(type, at.at, ...parts) })
  switch (type) {
    case 'turn.prompt':
    case 'turn.steer': {
      const said = partsText(record.input)
      reading.echoes.add(fingerprint(said))
      return readSaid(said, fields(record.origin), keyed(said), reading)
    }
    case 'context.append_message': {
      const message = fields(record.message)
      const said = partsText(message.content)
      if (message.role !== 'user' || reading.echoes.delete(fingerprint(said))) return
      return readSaid(said, fields(message.origin), keyed(said), reading)
    }
    case 'context.append_loop_event':
      return readLoopEvent(fields(record.event), keyed, reading)
    case 'usage.record':
      return readUsage(record, keyed(JSON.stringify(record.usage ?? '')), session)
    case 'permission.record_approval_result': {
      const decision = text(fields(record.result).decision)
      if (decision && decision !== 'approved') reading.denied.add(text(record.toolCallId))
      return
    }
    case 'turn.cancel':
      return session.event({ ...keyed(), kind: 'interrupt', role: 'user', text: 'Turn cancelled' })
    case 'turn.ended':
      if (/fail|error/.test(text(record.reason)))
        session.event({ ...keyed(), kind: 'error', role: 'system', text: errorText(record) })
      return
    case 'context.undo':
      return session.event({
        ...keyed(),
        kind: 'lifecycle',
        role: 'user',
        text: 'Took back the latest turns',
        undoes: count(record.count),
      })
    case 'context.clear':
      return session.event({ ...keyed(), kind: 'lifecycle', role: 'user', text: 'Context cleared' })
    case 'context.apply_compaction':
      return session.event({ ...keyed(), kind: 'compaction', role: 'system', text: text(record.summary) })
    case 'config.update':
    case 'profile.bind': {
      const cwd = named(record.cwd) ?? named(fields(record.environmentDisclosure).cwd)
      return session.about({ cwd, model: named(record.modelAlias) })
    }
    case 'forked':
      return session.about({ kind: 'fork' })
    default:
      if (!silent.test(type)) reading.out.unknown(type)
  }
}

const silent =
  /^(?:metadata$|context\.update_token_count|(?:tools|llm|permission|plan_mode|swarm_mode|full_compaction|micro_compaction|goal|mcp|plugin|runtime|token_counting|background)\.)/

function errorText(record: Fields): string {
  return named(fields(record.error).message) ?? named(record.error) ?? text(record.reason)
}

type Base = Pick<Event, 'id' | 'key' | 'ts'>

function readSaid(said: string, origin: Fields, base: Base, { session, isSubagent }: Reading): void {
  if (!said.trim()) return
  const kind = isSubagent ? 'context' : kindOf(origin)
  session.event({ ...base, kind, role: 'user', text: kind === 'prompt' ? said : shortText(kind, said, origin) })
}

/** Records of the first protocols have no origin: then a person wrote it. */
function kindOf(origin: Fields): 'prompt' | 'command' | 'shell' | 'context' {
  switch (named(origin.kind) ?? 'user') {
    case 'user':
      return 'prompt'
    case 'skill_activation':
      return origin.trigger === 'user-slash' ? 'command' : 'context'
    case 'plugin_command':
      return 'command'
    case 'shell_command':
      return origin.phase === 'input' ? 'shell' : 'context'
    default:
      return 'context'
  }
}

/** Of a command what was typed, not what it was expanded to. */
function shortText(kind: string, said: string, origin: Fields): string {
  if (kind === 'shell') return said.replace(/^\s*<([\w-]+)>([\s\S]*)<\/\1>\s*$/, '$2').trim()
  if (kind !== 'command') return said
  const name = named(origin.skillName) ?? text(origin.commandName)
  return `/${name} ${named(origin.skillArgs) ?? text(origin.commandArgs)}`.trim()
}

function readLoopEvent(event: Fields, keyed: (...parts: string[]) => Base, reading: Reading): void {
  const { session, calls } = reading
  const type = text(event.type)
  if (type === 'content.part') {
    const part = fields(event.part)
    const base = { ...keyed(text(event.uuid), JSON.stringify(part)), id: text(event.uuid), role: 'assistant' } as const
    if (text(part.text).trim()) session.event({ ...base, kind: 'reply', text: text(part.text) })
    if (text(part.think).trim()) session.event({ ...base, kind: 'thinking', text: text(part.think) })
  } else if (type === 'tool.call') {
    const call = named(event.toolCallId)
    const input = event.args ?? {}
    reading.changes.opened(call, changesOf(text(event.name), fields(input)))
    const base = {
      ...keyed(text(event.stepUuid), call ?? ''),
      id: text(event.uuid),
      tool: text(event.name),
      call,
      input,
    }
    if (base.tool) session.event(calls.opened({ ...base, kind: 'tool_call', role: 'assistant', text: '' }))
  } else if (type === 'tool.result') readResult(event, keyed, reading)
  else if (!/^step\./.test(type)) reading.out.unknown(`loop/${type}`)
}

function changesOf(tool: string, input: Fields): FileChange[] {
  const path = named(input.path) ?? named(input.file_path)
  if (!path) return []
  if (tool === 'Write') return [{ path, change: 'update', added: lineCount(text(input.content)), removed: 0 }]
  if (tool !== 'Edit') return []
  const [before, after] = [text(input.old_string), text(input.new_string)]
  return [{ path, change: 'update', added: lineCount(after), removed: lineCount(before) }]
}

function readResult(event: Fields, keyed: (...parts: string[]) => Base, reading: Reading): void {
  const { changes, denied } = reading
  const call = named(event.toolCallId)
  const result = fields(event.result)
  const said = partsText(result.output)
  const exit = /exit code: (\d+)\.?\s*$/.exec(said)?.[1]
  const base = keyed(call ?? '', said.slice(0, 1000))
  const isDenied = call !== undefined && denied.delete(call)
  const error = result.isError !== true ? undefined : isDenied ? 'denied' : errorKind(said)
  tellResult({ ...base, text: said, call, error, exit, files: changes.closed(call) }, reading)
}

function errorKind(said: string): ToolError {
  if (/^.{0,80}(?:rejected|denied) by (?:the )?user/i.test(said)) return 'denied'
  return /^.{0,80}(?:interrupted|cancell?ed|aborted)/i.test(said) ? 'interrupted' : 'failed'
}

/** The same numbers stand in step.end; this one also counts compactions and titles. */
function readUsage(record: Fields, base: Base, session: SessionOut): void {
  const usage = fields(record.usage)
  const model = named(record.model)
  session.about({ model })
  session.usage({
    key: base.key,
    ts: base.ts,
    model: model ?? null,
    input: count(usage.inputOther),
    cacheRead: count(usage.inputCacheRead),
    cacheWrite: count(usage.inputCacheCreation),
    cacheWrite1h: 0,
    output: count(usage.output),
    reasoning: 0,
  })
}
