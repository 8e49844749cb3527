// Reads messages of the second schema (source of October 2026): one row per message with its
// content.
import { absolutePath } from '../file-changes.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  asUsd,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import { attachmentText, type OpenCodeState, promptKind, readTool, type StoredMessage } from './reader.ts'

export function readSessionMessage(message: StoredMessage, reading: OpenCodeState): void {
  const { session, out } = reading
  const { data, id } = message
  const base = { id, key: id, ts: asIsoTime(asObject(data.time).created) }
  const said = asString(data.text)
  switch (data.type) {
    case 'user':
      return readUser(message, reading)
    case 'assistant':
      return readAssistant(message, reading)
    case 'synthetic':
    case 'system':
    case 'skill':
      if (said.trim()) session.event({ ...base, kind: 'context', role: 'system', text: said })
      return
    case 'shell':
      return readShell(message, reading)
    case 'compaction':
      return readCompaction(message, reading)
    case 'model-switched': {
      const model = modelOf(data)
      if (model) session.about({ model })
      return session.event({ ...base, kind: 'lifecycle', role: 'user', text: `Model ${model ?? ''}`.trim() })
    }
    case 'idle':
      if (data.outcome === 'interrupted') session.event({ ...base, kind: 'interrupt', role: 'user', text: '' })
      return
    case 'location-switched':
      return session.about({ cwd: optionalString(asObject(data.location).directory) })
    case 'agent-switched':
      return
    default:
      out.unknownType(`message ${asString(data.type) || 'without type'}`)
  }
}

function readUser({ id, data }: StoredMessage, reading: OpenCodeState): void {
  const files = asArray(data.files)
    .map(asObject)
    .filter((file) => /^(?:image|audio|video)\/|^application\/pdf$/.test(asString(file.mime)))
  const said = [asString(data.text).trim(), ...files.map(attachmentText)].filter((part) => part !== '').join('\n')
  if (!said) return
  const event = { id, key: id, ts: asIsoTime(asObject(data.time).created), role: 'user' as const, text: said }
  reading.session.event({ ...event, kind: promptKind(reading) })
}

function readAssistant({ id, data }: StoredMessage, reading: OpenCodeState): void {
  const { session, stored } = reading
  const model = modelOf(data)
  const times = asObject(data.time)
  if (model) session.about({ model })
  readUsage(id, data, reading)
  const edited = new Set<string>()
  asArray(data.content)
    .map(asObject)
    .forEach((block, index) => {
      const ts = asIsoTime(asObject(block.time).created) ?? asIsoTime(times.created)
      const base = { id, key: `${id}#${index}`, ts, model }
      const said = asString(block.text)
      if (block.type === 'tool')
        for (const path of readTool(callOf(block), { base, reading, isShell: false })) edited.add(path)
      else if (block.type === 'text' || block.type === 'reasoning') {
        const kind = block.type === 'text' ? 'reply' : 'thinking'
        if (said.trim()) session.event({ ...base, kind, role: 'assistant', text: said })
      } else reading.out.unknownType(`content ${asString(block.type) || 'without type'}`)
    })
  const end = { id, ts: asIsoTime(times.completed) ?? asIsoTime(times.created) }
  const paths = asArray(asObject(data.snapshot).files).map(asString).filter(Boolean)
  const changed = paths.map((path) => absolutePath(path, stored.directory))
  const files = changed.filter((path) => !edited.has(path)).map((path) => ({ path, change: 'update' as const }))
  if (files.length > 0) session.event({ ...end, key: `${id}/edit`, kind: 'edit', role: 'tool', text: '', files })
  const error = asObject(data.error)
  if (!optionalString(error.message) && !optionalString(error.type)) return
  const isStop = /abort|interrupt/i.test(asString(error.type))
  const role = isStop ? 'user' : 'system'
  session.event({
    ...end,
    key: `${id}/error`,
    kind: isStop ? 'interrupt' : 'error',
    role,
    text: asString(error.message),
  })
}

function callOf(block: JsonObject) {
  const state = asObject(block.state)
  const times = asObject(block.time)
  const content = asArray(state.content).map(asObject)
  return {
    tool: optionalString(block.name) ?? 'unknown',
    call: optionalString(block.id),
    status: asString(state.status),
    input: state.input ?? {},
    output: content.map((part) => (part.type === 'file' ? attachmentText(part) : asString(part.text))).join('\n'),
    error: asString(asObject(state.error).message),
    details: { ...asObject(state.structured), ...asObject(state.metadata) },
    started: asIsoTime(times.created),
    ended: asIsoTime(times.completed),
  }
}

/** A shell line that the user ran; builds differ in where the command is. */
function readShell({ id, data }: StoredMessage, { session }: OpenCodeState): void {
  const shell = asObject(data.shell)
  const times = asObject(data.time)
  const base = { id, ts: asIsoTime(times.created) }
  const output = asString(data.output) || asString(asObject(data.output).output)
  const exit = [data.exit, shell.exit].find((value): value is number => typeof value === 'number')
  const command = asString(data.command) || asString(shell.command)
  session.event({ ...base, key: id, kind: 'shell', role: 'user', text: command, exit })
  if (!output) return
  const ts = asIsoTime(times.completed) ?? base.ts
  session.event({ ...base, ts, key: `${id}/result`, kind: 'context', role: 'system', text: output })
}

function readCompaction({ id, data }: StoredMessage, reading: OpenCodeState): void {
  readUsage(id, data, reading)
  if (data.status === 'running') return
  const base = { id, key: id, ts: asIsoTime(asObject(data.time).created), role: 'system' as const }
  const error = optionalString(asObject(data.error).message)
  reading.session.event(
    error ? { ...base, kind: 'error', text: error } : { ...base, kind: 'compaction', text: asString(data.summary) },
  )
}

/** The output excludes reasoning here. */
function readUsage(key: string, data: JsonObject, { session }: OpenCodeState): void {
  const tokens = asObject(data.tokens)
  const cache = asObject(tokens.cache)
  const usage = {
    input: asCount(tokens.input),
    cacheRead: asCount(cache.read),
    cacheWrite: asCount(cache.write),
    output: asCount(tokens.output) + asCount(tokens.reasoning),
    reasoning: asCount(tokens.reasoning),
  }
  if (usage.input + usage.cacheRead + usage.cacheWrite + usage.output === 0) return
  const ts = asIsoTime(asObject(data.time).created)
  session.usage({
    key,
    ts,
    model: modelOf(data) ?? null,
    ...usage,
    cacheWrite1h: 0,
    costUsd: asUsd(data.cost) || undefined,
  })
}

function modelOf(data: JsonObject): string | undefined {
  const model = asObject(data.model)
  return optionalString(model.id) ?? optionalString(model.modelID)
}
