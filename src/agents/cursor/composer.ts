// One session of the editor: a "composer" with its "bubbles".
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import type { Out, SessionOut } from '../agent.ts'
import { type CallBook, callBook } from '../calls.ts'
import { absolutePath } from '../changes.ts'
import { count, type Fields, fields, imagePlaceholder, list, named, parseJson, text, time } from '../values.ts'
import { changedFiles } from './tool.ts'

interface Composer {
  id: string
  data: Fields
  /** What the list of sessions says about it. */
  header: Fields
  /** Its folder, where only the workspace knows it. */
  folder: string | undefined
  out: Out
  bubbleOf(id: string): Fields | undefined
}

export function readComposer(composer: Composer): void {
  const bubbles = bubblesOf(composer)
  if (bubbles.length === 0) return
  const { id, data, out } = composer
  const session = out.session(id)
  const model = modelName(fields(data.modelConfig))
  const parent = parentOf(composer)
  const about = aboutOf(composer)
  session.about({ ...about, kind: parent.isSubagent ? 'subagent' : undefined, parent: parent.id, model })
  const reading = { session, calls: callBook(undefined), model, cwd: about.cwd }
  for (const bubble of bubbles) {
    if (bubble.type === 1) readUser(bubble, session, parent.isSubagent)
    else if (bubble.type === 2) readAnswer(bubble, reading)
    else out.unknown(`bubble of type ${String(bubble.type)}`)
  }
}

/** Bubbles that were edited away stay in the table: only the list of the composer tells which count, and their order. */
function bubblesOf({ id, data, bubbleOf }: Composer): Fields[] {
  const listed = list(data.fullConversationHeadersOnly).map(fields)
  if (listed.length === 0)
    return list(data.conversation).map((bubble, index) => ({ bubbleId: `${id}/${index}`, ...fields(bubble) }))
  return listed.flatMap((header) => {
    const bubble = bubbleOf(text(header.bubbleId))
    return bubble ? [{ ...bubble, bubbleId: header.bubbleId, type: bubble.type ?? header.type }] : []
  })
}

function parentOf({ data, header }: Composer): { isSubagent: boolean; id: string | undefined } {
  const info = fields(data.subagentInfo)
  const id = named(info.parentComposerId) ?? named(fields(header.subagentInfo).parentComposerId)
  return { isSubagent: id !== undefined || header.isSubagent === 1 || header.isSubagent === true, id }
}

function aboutOf({ data, header, folder }: Composer) {
  const place = fields(fields(header.workspaceIdentifier).uri)
  const branches = list(fields(list(header.trackedGitRepos)[0]).branches).map(fields)
  return {
    title: named(data.name) ?? named(header.name),
    titleRank: 3,
    cwd: named(place.fsPath) ?? folder,
    branch: named(branches.at(-1)?.branchName),
    started: time(data.createdAt ?? header.createdAt) ?? undefined,
    ended: time(data.lastUpdatedAt ?? header.lastUpdatedAt) ?? undefined,
  }
}

/** `default` stands for whatever Cursor chose. */
function modelName(from: Fields): string | undefined {
  const name = named(from.modelName)
  return name === 'default' ? undefined : name
}

function readUser(bubble: Fields, session: SessionOut, isSubagent: boolean): void {
  const images = list(bubble.images)
    .map(fields)
    .map((image) => imagePlaceholder(named(image.mimeType), text(image.data)))
  const said = [text(bubble.text).trim(), ...images].filter((part) => part !== '').join('\n')
  const id = text(bubble.bubbleId)
  const kind = isSubagent ? 'context' : 'prompt'
  if (said) session.event({ id, key: id, kind, role: 'user', ts: time(bubble.createdAt), text: said })
}

interface Reading {
  session: SessionOut
  calls: CallBook
  model: string | undefined
  cwd: string | undefined
}

function readAnswer(bubble: Fields, reading: Reading): void {
  const { session } = reading
  const id = text(bubble.bubbleId)
  const model = modelName(fields(bubble.modelInfo)) ?? reading.model
  const base = { id, ts: time(bubble.createdAt), model, role: 'assistant' as const }
  const thought = text(fields(bubble.thinking).text).trim()
  if (thought) session.event({ ...base, key: `${id}#thinking`, kind: 'thinking', text: thought })
  if (text(bubble.text).trim()) session.event({ ...base, key: id, kind: 'reply', text: text(bubble.text) })
  const tool = fields(bubble.toolFormerData)
  if (named(tool.name)) readTool(tool, { ...base, key: `${id}#tool` }, reading)
  const error = named(fields(bubble.errorDetails).message)
  if (error) session.event({ ...base, key: `${id}#error`, kind: 'error', role: 'system', text: error })
  readUsage(bubble, session, model)
}

type Base = Pick<Event, 'id' | 'key' | 'ts' | 'model' | 'role'>

function readTool(tool: Fields, base: Base, { session, calls, cwd }: Reading): void {
  const name = text(tool.name)
  const call = named(tool.toolCallId) ?? base.key
  const given = parseJson(text(tool.rawArgs)) ?? parseJson(text(tool.params)) ?? {}
  session.event(calls.opened({ ...base, kind: 'tool_call', text: '', tool: name, call, input: given }))
  const status = text(tool.status)
  const error = errorOf(status, tool)
  if (status !== 'completed' && !error) return
  const done = { ...base, role: 'tool' as const, model: undefined, call }
  const result = parseJson(text(tool.result)) ?? text(tool.result)
  const exit = fields(result).exitCodeV2 ?? fields(result).exitCode
  session.event(
    calls.closed({
      ...done,
      key: `${base.key}/result`,
      kind: 'tool_result',
      text: resultText(result) || text(fields(parseJson(text(tool.error))).clientVisibleErrorMessage),
      error: error ?? (typeof exit === 'number' && exit !== 0 ? 'failed' : undefined),
      exit: typeof exit === 'number' ? exit : undefined,
    }),
  )
  if (error) return
  const input = { ...fields(given), ...fields(parseJson(text(tool.params))) }
  const files = changedFiles(name, input).map((file) => ({
    ...file,
    path: absolutePath(file.path, cwd),
    ...linesOf(result),
  }))
  if (files.length > 0) session.event({ ...done, key: `${base.key}/edit`, kind: 'edit', text: '', tool: name, files })
}

function errorOf(status: string, tool: Fields): ToolError | undefined {
  if (tool.userDecision === 'rejected' || fields(parseJson(text(tool.result))).rejected === true) return 'denied'
  if (status === 'cancelled') return 'cancelled'
  return status === 'error' ? 'failed' : undefined
}

function resultText(result: Json): string {
  if (typeof result === 'string') return result
  const { output, contents, message } = fields(result)
  const said = [output, contents, message].map(named).find(Boolean)
  return said ?? (Object.keys(fields(result)).length > 0 || Array.isArray(result) ? JSON.stringify(result) : '')
}

function linesOf(result: Json): Pick<FileChange, 'added' | 'removed'> {
  const chunks = list(fields(fields(result).diff).chunks).map(fields)
  if (chunks.length === 0) return {}
  const sum = (name: string) => chunks.reduce((total, chunk) => total + count(chunk[name]), 0)
  return { added: sum('linesAdded'), removed: sum('linesRemoved') }
}

/** Often zero: Cursor keeps the real numbers to itself. */
function readUsage(bubble: Fields, session: SessionOut, model: string | undefined): void {
  const tokens = fields(bubble.tokenCount)
  const [input, output] = [count(tokens.inputTokens), count(tokens.outputTokens)]
  if (input + output === 0) return
  const none = { cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, reasoning: 0 }
  session.usage({
    key: text(bubble.bubbleId),
    ts: time(bubble.createdAt),
    model: model ?? null,
    input,
    output,
    ...none,
  })
}
