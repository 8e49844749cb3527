// One session of the editor: a "composer" with its "bubbles".
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import type { ReaderOutput, SessionOutput } from '../agent.ts'
import { absolutePath } from '../file-changes.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { changedFiles } from './tool.ts'

interface Composer {
  id: string
  data: JsonObject
  /** What the list of sessions says about it. */
  header: JsonObject
  /** Its folder, where only the workspace knows it. */
  folder: string | undefined
  out: ReaderOutput
  bubbleOf(id: string): JsonObject | undefined
}

export function readComposer(composer: Composer): void {
  const bubbles = bubblesOf(composer)
  if (bubbles.length === 0) return
  const { id, data, out } = composer
  const session = out.session(id)
  const model = modelName(asObject(data.modelConfig))
  const parent = parentOf(composer)
  const about = aboutOf(composer)
  session.about({ ...about, kind: parent.isSubagent ? 'subagent' : undefined, parent: parent.id, model })
  const reading = { session, calls: pendingCalls(undefined), model, cwd: about.cwd }
  for (const bubble of bubbles) {
    if (bubble.type === 1) readUser(bubble, session, parent.isSubagent)
    else if (bubble.type === 2) readAnswer(bubble, reading)
    else out.unknownType(`bubble of type ${String(bubble.type)}`)
  }
}

/** Bubbles that were edited away stay in the table: only the list of the composer tells which count, and their order. */
function bubblesOf({ id, data, bubbleOf }: Composer): JsonObject[] {
  const listed = asArray(data.fullConversationHeadersOnly).map(asObject)
  if (listed.length === 0)
    return asArray(data.conversation).map((bubble, index) => ({ bubbleId: `${id}/${index}`, ...asObject(bubble) }))
  return listed.flatMap((header) => {
    const bubble = bubbleOf(asString(header.bubbleId))
    return bubble ? [{ ...bubble, bubbleId: header.bubbleId, type: bubble.type ?? header.type }] : []
  })
}

function parentOf({ data, header }: Composer): { isSubagent: boolean; id: string | undefined } {
  const info = asObject(data.subagentInfo)
  const id = optionalString(info.parentComposerId) ?? optionalString(asObject(header.subagentInfo).parentComposerId)
  return { isSubagent: id !== undefined || header.isSubagent === 1 || header.isSubagent === true, id }
}

function aboutOf({ data, header, folder }: Composer) {
  const place = asObject(asObject(header.workspaceIdentifier).uri)
  const branches = asArray(asObject(asArray(header.trackedGitRepos)[0]).branches).map(asObject)
  return {
    title: optionalString(data.name) ?? optionalString(header.name),
    titleRank: 3,
    cwd: optionalString(place.fsPath) ?? folder,
    branch: optionalString(branches.at(-1)?.branchName),
    started: asIsoTime(data.createdAt ?? header.createdAt) ?? undefined,
    ended: asIsoTime(data.lastUpdatedAt ?? header.lastUpdatedAt) ?? undefined,
  }
}

/** `default` stands for whatever Cursor chose. */
function modelName(from: JsonObject): string | undefined {
  const name = optionalString(from.modelName)
  return name === 'default' ? undefined : name
}

function readUser(bubble: JsonObject, session: SessionOutput, isSubagent: boolean): void {
  const images = asArray(bubble.images)
    .map(asObject)
    .map((image) => imagePlaceholder(optionalString(image.mimeType), asString(image.data)))
  const said = [asString(bubble.text).trim(), ...images].filter((part) => part !== '').join('\n')
  const id = asString(bubble.bubbleId)
  const kind = isSubagent ? 'context' : 'prompt'
  if (said) session.event({ id, key: id, kind, role: 'user', ts: asIsoTime(bubble.createdAt), text: said })
}

interface Reading {
  session: SessionOutput
  calls: PendingCalls
  model: string | undefined
  cwd: string | undefined
}

function readAnswer(bubble: JsonObject, reading: Reading): void {
  const { session } = reading
  const id = asString(bubble.bubbleId)
  const model = modelName(asObject(bubble.modelInfo)) ?? reading.model
  const base = { id, ts: asIsoTime(bubble.createdAt), model, role: 'assistant' as const }
  const thought = asString(asObject(bubble.thinking).text).trim()
  if (thought) session.event({ ...base, key: `${id}#thinking`, kind: 'thinking', text: thought })
  if (asString(bubble.text).trim()) session.event({ ...base, key: id, kind: 'reply', text: asString(bubble.text) })
  const tool = asObject(bubble.toolFormerData)
  if (optionalString(tool.name)) readTool(tool, { ...base, key: `${id}#tool` }, reading)
  const error = optionalString(asObject(bubble.errorDetails).message)
  if (error) session.event({ ...base, key: `${id}#error`, kind: 'error', role: 'system', text: error })
  readUsage(bubble, session, model)
}

type Base = Pick<Event, 'id' | 'key' | 'ts' | 'model' | 'role'>

function readTool(tool: JsonObject, base: Base, { session, calls, cwd }: Reading): void {
  const name = asString(tool.name)
  const call = optionalString(tool.toolCallId) ?? base.key
  const given = parseJson(asString(tool.rawArgs)) ?? parseJson(asString(tool.params)) ?? {}
  session.event(calls.open({ ...base, kind: 'tool_call', text: '', tool: name, call, input: given }))
  const status = asString(tool.status)
  const error = errorOf(status, tool)
  if (status !== 'completed' && !error) return
  const done = { ...base, role: 'tool' as const, model: undefined, call }
  const result = parseJson(asString(tool.result)) ?? asString(tool.result)
  const exit = asObject(result).exitCodeV2 ?? asObject(result).exitCode
  session.event(
    calls.close({
      ...done,
      key: `${base.key}/result`,
      kind: 'tool_result',
      text: resultText(result) || asString(asObject(parseJson(asString(tool.error))).clientVisibleErrorMessage),
      error: error ?? (typeof exit === 'number' && exit !== 0 ? 'failed' : undefined),
      exit: typeof exit === 'number' ? exit : undefined,
    }),
  )
  if (error) return
  const input = { ...asObject(given), ...asObject(parseJson(asString(tool.params))) }
  const files = changedFiles(name, input).map((file) => ({
    ...file,
    path: absolutePath(file.path, cwd),
    ...linesOf(result),
  }))
  if (files.length > 0) session.event({ ...done, key: `${base.key}/edit`, kind: 'edit', text: '', tool: name, files })
}

function errorOf(status: string, tool: JsonObject): ToolError | undefined {
  if (tool.userDecision === 'rejected' || asObject(parseJson(asString(tool.result))).rejected === true) return 'denied'
  if (status === 'cancelled') return 'cancelled'
  return status === 'error' ? 'failed' : undefined
}

function resultText(result: Json): string {
  if (typeof result === 'string') return result
  const { output, contents, message } = asObject(result)
  const said = [output, contents, message].map(optionalString).find(Boolean)
  return said ?? (Object.keys(asObject(result)).length > 0 || Array.isArray(result) ? JSON.stringify(result) : '')
}

function linesOf(result: Json): Pick<FileChange, 'added' | 'removed'> {
  const chunks = asArray(asObject(asObject(result).diff).chunks).map(asObject)
  if (chunks.length === 0) return {}
  const sum = (name: string) => chunks.reduce((total, chunk) => total + asCount(chunk[name]), 0)
  return { added: sum('linesAdded'), removed: sum('linesRemoved') }
}

/** Often zero: Cursor keeps the real numbers to itself. */
function readUsage(bubble: JsonObject, session: SessionOutput, model: string | undefined): void {
  const tokens = asObject(bubble.tokenCount)
  const [input, output] = [asCount(tokens.inputTokens), asCount(tokens.outputTokens)]
  if (input + output === 0) return
  const none = { cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, reasoning: 0 }
  session.usage({
    key: asString(bubble.bubbleId),
    ts: asIsoTime(bubble.createdAt),
    model: model ?? null,
    input,
    output,
    ...none,
  })
}
