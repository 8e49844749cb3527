// Messages of the second schema (source of October 2026): one row per message, its content inside.
import { absolutePath } from '../changes.ts'
import { count, type Fields, fields, list, money, named, text, time } from '../values.ts'
import { promptKind, type Reading, type StoredMessage } from './session.ts'
import { attachment, readTool } from './tool.ts'

export function readSessionMessage(message: StoredMessage, reading: Reading): void {
  const { session, out } = reading
  const { data, id } = message
  const base = { id, key: id, ts: time(fields(data.time).created) }
  const said = text(data.text)
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
      return session.about({ cwd: named(fields(data.location).directory) })
    case 'agent-switched':
      return
    default:
      out.unknown(`message ${text(data.type) || 'without type'}`)
  }
}

function readUser({ id, data }: StoredMessage, reading: Reading): void {
  const files = list(data.files)
    .map(fields)
    .filter((file) => /^(?:image|audio|video)\/|^application\/pdf$/.test(text(file.mime)))
  const said = [text(data.text).trim(), ...files.map(attachment)].filter((part) => part !== '').join('\n')
  if (!said) return
  const event = { id, key: id, ts: time(fields(data.time).created), role: 'user' as const, text: said }
  reading.session.event({ ...event, kind: promptKind(reading) })
}

function readAssistant({ id, data }: StoredMessage, reading: Reading): void {
  const { session, stored } = reading
  const model = modelOf(data)
  const times = fields(data.time)
  if (model) session.about({ model })
  readUsage(id, data, reading)
  const edited = new Set<string>()
  list(data.content)
    .map(fields)
    .forEach((block, index) => {
      const ts = time(fields(block.time).created) ?? time(times.created)
      const base = { id, key: `${id}#${index}`, ts, model }
      const said = text(block.text)
      if (block.type === 'tool')
        for (const path of readTool(callOf(block), { base, reading, isShell: false })) edited.add(path)
      else if (block.type === 'text' || block.type === 'reasoning') {
        const kind = block.type === 'text' ? 'reply' : 'thinking'
        if (said.trim()) session.event({ ...base, kind, role: 'assistant', text: said })
      } else reading.out.unknown(`content ${text(block.type) || 'without type'}`)
    })
  const end = { id, ts: time(times.completed) ?? time(times.created) }
  const paths = list(fields(data.snapshot).files).map(text).filter(Boolean)
  const changed = paths.map((path) => absolutePath(path, stored.directory))
  const files = changed.filter((path) => !edited.has(path)).map((path) => ({ path, change: 'update' as const }))
  if (files.length > 0) session.event({ ...end, key: `${id}/edit`, kind: 'edit', role: 'tool', text: '', files })
  const error = fields(data.error)
  if (!named(error.message) && !named(error.type)) return
  const isStop = /abort|interrupt/i.test(text(error.type))
  const role = isStop ? 'user' : 'system'
  session.event({ ...end, key: `${id}/error`, kind: isStop ? 'interrupt' : 'error', role, text: text(error.message) })
}

function callOf(block: Fields) {
  const state = fields(block.state)
  const times = fields(block.time)
  const content = list(state.content).map(fields)
  return {
    tool: named(block.name) ?? 'unknown',
    call: named(block.id),
    status: text(state.status),
    input: state.input ?? {},
    output: content.map((part) => (part.type === 'file' ? attachment(part) : text(part.text))).join('\n'),
    error: text(fields(state.error).message),
    details: { ...fields(state.structured), ...fields(state.metadata) },
    started: time(times.created),
    ended: time(times.completed),
  }
}

/** A shell line that the user ran; where the command stands moved between builds. */
function readShell({ id, data }: StoredMessage, { session }: Reading): void {
  const shell = fields(data.shell)
  const times = fields(data.time)
  const base = { id, ts: time(times.created) }
  const output = text(data.output) || text(fields(data.output).output)
  const exit = [data.exit, shell.exit].find((value): value is number => typeof value === 'number')
  const command = text(data.command) || text(shell.command)
  session.event({ ...base, key: id, kind: 'shell', role: 'user', text: command, exit })
  if (!output) return
  const ts = time(times.completed) ?? base.ts
  session.event({ ...base, ts, key: `${id}/result`, kind: 'context', role: 'system', text: output })
}

function readCompaction({ id, data }: StoredMessage, reading: Reading): void {
  readUsage(id, data, reading)
  if (data.status === 'running') return
  const base = { id, key: id, ts: time(fields(data.time).created), role: 'system' as const }
  const error = named(fields(data.error).message)
  reading.session.event(
    error ? { ...base, kind: 'error', text: error } : { ...base, kind: 'compaction', text: text(data.summary) },
  )
}

/** Here reasoning is counted beside the output. */
function readUsage(key: string, data: Fields, { session }: Reading): void {
  const tokens = fields(data.tokens)
  const cache = fields(tokens.cache)
  const usage = {
    input: count(tokens.input),
    cacheRead: count(cache.read),
    cacheWrite: count(cache.write),
    output: count(tokens.output) + count(tokens.reasoning),
    reasoning: count(tokens.reasoning),
  }
  if (usage.input + usage.cacheRead + usage.cacheWrite + usage.output === 0) return
  const ts = time(fields(data.time).created)
  session.usage({
    key,
    ts,
    model: modelOf(data) ?? null,
    ...usage,
    cacheWrite1h: 0,
    costUsd: money(data.cost) || undefined,
  })
}

function modelOf(data: Fields): string | undefined {
  const model = fields(data.model)
  return named(model.id) ?? named(model.modelID)
}
