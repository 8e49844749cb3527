// Reads kimi-code, wire protocol 1.4 (seen July 2026): state.json for the session and one wire log
// for each of its agents. A newer version rewrites older logs when it opens them, but keeps the
// times of records.
import { basename, join } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { FileChange, Json, ToolError } from '../../core/session.ts'
import type { EventBase, LogReader, LogTranscript, ReaderOutput, SessionOutput } from '../agent.ts'
import { lineCount, type PendingChanges, pendingChanges } from '../file-changes.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  fingerprint,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { emitResult, partsText } from './content.ts'

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

function readState(path: string): JsonObject {
  try {
    return asObject(parseJson(readForeignText(path)))
  } catch {
    return {} // not written yet
  }
}

interface WireState {
  out: ReaderOutput
  native: string
  session: SessionOutput
  isSubagent: boolean
  calls: PendingCalls
  /** Files that open calls will change. */
  changes: PendingChanges
  /** Calls that the user denied. */
  denied: Set<string>
  /** Texts that started a turn: each is repeated when it enters the context. */
  echoes: Set<string>
}

function openWire(
  folder: string,
  agent: string,
  state: JsonObject,
  { out, saved: value }: { out: ReaderOutput; saved: Json | undefined },
): LogReader {
  const saved = asObject(value)
  const isSubagent = agent !== 'main'
  const native = isSubagent ? `${folder}/${agent}` : folder
  const reading: WireState = {
    out,
    native,
    session: out.session(native),
    isSubagent,
    calls: pendingCalls(saved.calls),
    changes: pendingChanges(saved.changes),
    denied: new Set(asArray(saved.denied).map(asString)),
    echoes: new Set(asArray(saved.echoes).map(asString)),
  }
  describeSession(folder, agent, state, reading)
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

/** A default title is the beginning of the first prompt. */
function describeSession(folder: string, agent: string, state: JsonObject, { session, isSubagent }: WireState): void {
  session.about({ cwd: optionalString(state.workDir) })
  if (!isSubagent)
    return session.about({ title: optionalString(state.title), titleRank: state.isCustomTitle === true ? 4 : 0 })
  const parent = optionalString(asObject(asObject(state.agents)[agent]).parentAgentId)
  session.about({ kind: 'subagent', parent: parent && parent !== 'main' ? `${folder}/${parent}` : folder })
}

function readRecord(record: JsonObject, offset: number, reading: WireState): void {
  const { session } = reading
  const type = asString(record.type)
  const at = {
    id: '',
    ts: asIsoTime(record.time),
    at: typeof record.time === 'number' ? record.time : `${reading.native}@${offset}`,
  }
  const keyed = (...parts: string[]) => ({ id: '', ts: at.ts, key: fingerprint(type, at.at, ...parts) })
  switch (type) {
    case 'turn.prompt':
    case 'turn.steer': {
      const said = partsText(record.input)
      reading.echoes.add(fingerprint(said))
      return readUserText(said, asObject(record.origin), keyed(said), reading)
    }
    case 'context.append_message': {
      const message = asObject(record.message)
      const said = partsText(message.content)
      if (message.role !== 'user' || reading.echoes.delete(fingerprint(said))) return
      return readUserText(said, asObject(message.origin), keyed(said), reading)
    }
    case 'context.append_loop_event':
      return readLoopEvent(asObject(record.event), keyed, reading)
    case 'usage.record':
      return readUsage(record, keyed(JSON.stringify(record.usage ?? '')), session)
    case 'permission.record_approval_result': {
      const decision = asString(asObject(record.result).decision)
      if (decision && decision !== 'approved') reading.denied.add(asString(record.toolCallId))
      return
    }
    case 'turn.cancel':
      return session.event({ ...keyed(), kind: 'interrupt', role: 'user', text: 'Turn cancelled' })
    case 'turn.ended':
      if (/fail|error/.test(asString(record.reason)))
        session.event({ ...keyed(), kind: 'error', role: 'system', text: errorText(record) })
      return
    case 'context.undo':
      return session.event({
        ...keyed(),
        kind: 'lifecycle',
        role: 'user',
        text: 'Took back the latest turns',
        undoes: asCount(record.count),
      })
    case 'context.clear':
      return session.event({ ...keyed(), kind: 'lifecycle', role: 'user', text: 'Context cleared' })
    case 'context.apply_compaction':
      return session.event({
        ...keyed(),
        kind: 'compaction',
        role: 'system',
        text: optionalString(record.summary) ?? asString(record.contextSummary),
      })
    case 'config.update':
    case 'profile.bind': {
      const cwd = optionalString(record.cwd) ?? optionalString(asObject(record.environmentDisclosure).cwd)
      return session.about({ cwd, model: optionalString(record.modelAlias) })
    }
    case 'forked':
      return session.about({ kind: 'fork' })
    default:
      if (!ignoredTypes.test(type)) reading.out.unknownType(type)
  }
}

/** The `agent.` and `prompt.` events of wire protocol 1.5 repeat the records above. */
const ignoredTypes =
  /^(?:metadata$|context\.update_token_count|agent\.(?:message\.appended|turn\.(?:started|ended))$|prompt\.(?:accepted|submitted|queued|started|steered|completed|aborted)$|(?:tools|llm|permission|plan|plan_mode|swarm_mode|tower_mode|task|cron|staleGuard|interaction|full_compaction|micro_compaction|goal|mcp|plugin|runtime|token_counting|background)\.)/

function errorText(record: JsonObject): string {
  return optionalString(asObject(record.error).message) ?? optionalString(record.error) ?? asString(record.reason)
}

function readUserText(said: string, origin: JsonObject, base: EventBase, { session, isSubagent }: WireState): void {
  if (!said.trim()) return
  const kind = isSubagent ? 'context' : kindOf(origin)
  session.event({ ...base, kind, role: 'user', text: kind === 'prompt' ? said : typedText(kind, said, origin) })
}

/** Records of the first protocols have no origin and were typed. */
function kindOf(origin: JsonObject): 'prompt' | 'command' | 'shell' | 'context' {
  switch (optionalString(origin.kind) ?? 'user') {
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

/** The typed form of a command, not its expansion. */
function typedText(kind: string, said: string, origin: JsonObject): string {
  if (kind === 'shell') return said.replace(/^\s*<([\w-]+)>([\s\S]*)<\/\1>\s*$/, '$2').trim()
  if (kind !== 'command') return said
  const name = optionalString(origin.skillName) ?? asString(origin.commandName)
  return `/${name} ${optionalString(origin.skillArgs) ?? asString(origin.commandArgs)}`.trim()
}

function readLoopEvent(event: JsonObject, keyed: (...parts: string[]) => EventBase, reading: WireState): void {
  const { session, calls } = reading
  const type = asString(event.type)
  if (type === 'content.part') {
    const part = asObject(event.part)
    const base = {
      ...keyed(asString(event.uuid), JSON.stringify(part)),
      id: asString(event.uuid),
      role: 'assistant',
    } as const
    if (asString(part.text).trim()) session.event({ ...base, kind: 'reply', text: asString(part.text) })
    if (asString(part.think).trim()) session.event({ ...base, kind: 'thinking', text: asString(part.think) })
  } else if (type === 'tool.call') {
    const call = optionalString(event.toolCallId)
    const input = event.args ?? {}
    reading.changes.open(call, changesOf(asString(event.name), asObject(input)))
    const base = {
      ...keyed(asString(event.stepUuid), call ?? ''),
      id: asString(event.uuid),
      tool: asString(event.name),
      call,
      input,
    }
    if (base.tool) session.event(calls.open({ ...base, kind: 'tool_call', role: 'assistant', text: '' }))
  } else if (type === 'tool.result') readResult(event, keyed, reading)
  else if (!/^step\./.test(type)) reading.out.unknownType(`loop/${type}`)
}

function changesOf(tool: string, input: JsonObject): FileChange[] {
  const path = optionalString(input.path) ?? optionalString(input.file_path)
  if (!path) return []
  if (tool === 'Write') return [{ path, change: 'update', added: lineCount(asString(input.content)), removed: 0 }]
  if (tool !== 'Edit') return []
  const [before, after] = [asString(input.old_string), asString(input.new_string)]
  return [{ path, change: 'update', added: lineCount(after), removed: lineCount(before) }]
}

function readResult(event: JsonObject, keyed: (...parts: string[]) => EventBase, reading: WireState): void {
  const { changes, denied } = reading
  const call = optionalString(event.toolCallId)
  const result = asObject(event.result)
  const said = partsText(result.output)
  const exit = /exit code: (\d+)\.?\s*$/.exec(said)?.[1]
  const base = keyed(call ?? '', said.slice(0, 1000))
  const isDenied = call !== undefined && denied.delete(call)
  const error = result.isError !== true ? undefined : isDenied ? 'denied' : errorKind(said)
  emitResult({ ...base, text: said, call, error, exit, files: changes.close(call) }, reading)
}

function errorKind(said: string): ToolError {
  return /^.{0,80}(?:interrupted|cancell?ed|aborted)/i.test(said) ? 'interrupted' : 'failed'
}

/** step.end has the same numbers, but this record also covers compactions and titles. */
function readUsage(record: JsonObject, base: EventBase, session: SessionOutput): void {
  const usage = asObject(record.usage)
  const model = optionalString(record.model)
  session.about({ model })
  session.usage({
    key: base.key,
    ts: base.ts,
    model: model ?? null,
    input: asCount(usage.inputOther),
    cacheRead: asCount(usage.inputCacheRead),
    cacheWrite: asCount(usage.inputCacheCreation),
    cacheWrite1h: 0,
    output: asCount(usage.output),
    reasoning: 0,
  })
}
