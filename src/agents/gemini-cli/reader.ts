// Finds and reads the chat files of a Gemini home. One session may be in several files: project
// folders were once named by hash and are copied when they get a name, a resumed `.json` continues
// as `.jsonl`, and a cleared chat starts a new file with the old session id. They are read
// together; the newest version of every message counts.
import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { Json } from '../../core/session.ts'
import type { DocumentTranscript, ReaderOutput } from '../agent.ts'
import { listEntries, listSubfolders, readJsonFile, readRecords } from '../files.ts'
import { asArray, asIsoTime, asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'
import { pendingCalls } from '../pending-calls.ts'
import { contentParts, partText } from './content.ts'
import { type ChatState, readMessage } from './messages.ts'

interface ChatFile {
  path: string
  /** `tmp/<project>`: named by a slug, or by the hash of the project's path. */
  project: string
  /** Session of the subagent that wrote this file. */
  parent?: string
}

export function* findChats(root: string): Iterable<DocumentTranscript> {
  const groups = new Map<string, ChatFile[]>()
  for (const project of listSubfolders(join(root, 'tmp'))) {
    for (const [key, file] of chatFiles(project)) groups.set(key, [...(groups.get(key) ?? []), file])
  }
  for (const group of groups.values()) {
    const files = group.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    const paths = files.map((file) => file.path)
    yield {
      shape: 'document',
      path: paths.at(-1)!,
      also: paths.slice(0, -1),
      read: (out) => readChats(files, out),
    }
  }
}

/** File names contain the first eight characters of a session id, or the whole id of a subagent. */
function* chatFiles(project: string): Iterable<[key: string, file: ChatFile]> {
  const chats = join(project, 'chats')
  for (const entry of listEntries(chats)) {
    const path = join(chats, entry.name)
    const id = /^session-(?:.*-)?([^-]+)\.jsonl?$/.exec(entry.name)?.[1]
    if (entry.isFile() && id) yield [id, { path, project }]
    if (!entry.isDirectory() || entry.name === 'archive') continue // Qwen Code keeps logs of another format there
    for (const { name } of listEntries(path)) {
      const child = /^(.+)\.jsonl?$/.exec(name)?.[1]
      if (child) yield [`${entry.name}/${child}`, { path: join(path, name), project, parent: entry.name }]
    }
  }
}

/**
 * Sorts copies before originals: hash folders before named ones, earlier files before later,
 * `.json` before `.jsonl`.
 */
function sortKey({ path, project }: ChatFile): string {
  return `${isHash(basename(project)) ? 0 : 1} ${basename(path)}`
}

function isHash(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name)
}

function readChats(files: ChatFile[], out: ReaderOutput): undefined {
  const sessions = new Map<string, { file: ChatFile; conversation: Conversation }[]>()
  for (const file of files) {
    const conversation = replayChat(file.path, out)
    if (conversation.steps.length === 0) continue
    const id = optionalString(conversation.metadata.sessionId) ?? basename(file.path).replace(/\.jsonl?$/, '')
    const native = file.parent ? `${file.parent}/${id}` : id
    sessions.set(native, [...(sessions.get(native) ?? []), { file, conversation }])
  }
  for (const [native, copies] of sessions) {
    copies.sort((a, b) => lastUpdated(a.conversation) - lastUpdated(b.conversation))
    const { file, conversation } = copies.at(-1)!
    const telling = openSession(native, file, conversation, out)
    for (const step of mergeSteps(copies.map((copy) => copy.conversation))) readStep(step, telling)
  }
}

function lastUpdated({ metadata }: Conversation): number {
  return Date.parse(asString(metadata.lastUpdated)) || 0
}

function openSession(native: string, file: ChatFile, { metadata }: Conversation, out: ReaderOutput): ChatState {
  const isSubagent = file.parent !== undefined || metadata.kind === 'subagent'
  const session = out.session(native)
  session.about({
    kind: isSubagent ? 'subagent' : undefined,
    parent: file.parent,
    cwd: projectRoot(file.project) ?? (isSubagent ? optionalString(asArray(metadata.directories)[0]) : undefined),
    title: optionalString(metadata.summary),
    titleRank: optionalString(metadata.summary) ? 3 : undefined,
    started: asIsoTime(metadata.startTime) ?? undefined,
  })
  return { native, session, out, isSubagent, calls: pendingCalls(undefined), closed: new Set(), prompts: new Set() }
}

/** Transcripts do not name their working folder; only the folder in which they lie does. */
function projectRoot(project: string): string | undefined {
  try {
    const root = readForeignText(join(project, '.project_root')).trim()
    if (root) return root
  } catch {
    // folders named by hash have no such file
  }
  const name = basename(project)
  try {
    const registry = asObject(parseJson(readForeignText(join(dirname(dirname(project)), 'projects.json'))))
    return Object.entries(asObject(registry.projects)).find(
      ([path, slug]) => slug === name || createHash('sha256').update(path).digest('hex') === name,
    )?.[0]
  } catch {
    return undefined
  }
}

/** Takes each step from the newest copy that has it, sorted by time if files differ. */
function mergeSteps(conversations: Conversation[]): ReplayStep[] {
  if (conversations.length === 1) return conversations[0]!.steps
  const seen = new Set<string>()
  const merged: { step: ReplayStep; at: number }[] = []
  for (const { steps } of [...conversations].reverse()) {
    let at = 0
    for (const step of steps) {
      if (step.kind === 'message') at = Math.max(at, Date.parse(asString(step.message.timestamp)) || 0)
      if (!seen.has(step.id)) merged.push({ step, at })
      seen.add(step.id)
    }
  }
  return merged.sort((a, b) => a.at - b.at).map(({ step }) => step)
}

function readStep(step: ReplayStep, telling: ChatState): void {
  if (step.kind === 'message') return readMessage(step.id, step.message, telling, step.keepsFrom)
  telling.session.event({
    id: '',
    key: `${telling.native}/${step.id}`,
    kind: 'lifecycle',
    role: 'system',
    ts: null,
    text: 'Rewound',
    undoes: step.dropped.filter((id) => telling.prompts.has(id)).length,
  })
}

interface Conversation {
  metadata: JsonObject
  steps: ReplayStep[]
}

type ReplayStep = MessageStep | { kind: 'rewind'; id: string; dropped: string[] }

interface MessageStep {
  kind: 'message'
  id: string
  message: JsonObject
  /** Of a summary: the first message that stays behind it. */
  keepsFrom?: string
}

function replayChat(path: string, out: ReaderOutput): Conversation {
  return path.endsWith('.jsonl') ? replayLog(path, out) : replayDocument(path, out)
}

interface ReplayState extends Conversation {
  known: Map<string, MessageStep>
  /** Ids of messages that were not rewound, in order. */
  live: string[]
}

function replayDocument(path: string, out: ReaderOutput): Conversation {
  const document = asObject(readJsonFile(path, out))
  const state: ReplayState = { metadata: document, steps: [], known: new Map(), live: [] }
  if (!Array.isArray(document.messages)) out.unknownType('document without messages')
  asArray(document.messages).forEach((value, index) => {
    const message = asObject(value)
    addMessage(optionalString(message.id) ?? `#${index}`, message, state)
  })
  return state
}

function replayLog(path: string, out: ReaderOutput): Conversation {
  const state: ReplayState = { metadata: {}, steps: [], known: new Map(), live: [] }
  for (const { record } of readRecords(path, out)) {
    const { $set, $patch, $rewindTo } = record
    if (typeof $rewindTo === 'string') rewind($rewindTo, state)
    else if ($set !== undefined) applySet(asObject($set), state)
    else if ($patch !== undefined) applyPatch(asObject($patch), state)
    else if (typeof record.id === 'string') addMessage(record.id, record, state)
    else if (typeof record.sessionId === 'string') state.metadata = { ...state.metadata, ...record }
    else out.unknownType(Object.keys(record).find((name) => name.startsWith('$')) ?? 'record without id')
  }
  return state
}

/** A message is rewritten whenever one of its tool calls changes. */
function addMessage(id: string, message: JsonObject, state: ReplayState): void {
  const known = state.known.get(id)
  if (known) {
    known.message = { ...known.message, ...message }
  } else {
    const step: MessageStep = { kind: 'message', id, message }
    state.known.set(id, step)
    state.steps.push(step)
  }
  if (!state.live.includes(id)) state.live.push(id)
}

/** Drops the message and all after it; all messages if it is not found, as the program does. */
function rewind(id: string, state: ReplayState): void {
  const at = Math.max(0, state.live.indexOf(id))
  const ordinal = state.steps.filter((step) => step.kind === 'rewind').length
  state.steps.push({ kind: 'rewind', id: `rewind/${id}/${ordinal}`, dropped: state.live.splice(at) })
}

function applySet(set: JsonObject, state: ReplayState): void {
  const { messages, ...metadata } = set
  state.metadata = { ...state.metadata, ...metadata }
  if (Array.isArray(messages)) applyHistory(messages, state)
}

/**
 * The whole history as the model sees it after a start, a compression or the masking of long
 * outputs. Known messages keep their first version; a turn that returns with another id is
 * recognised by its text.
 */
function applyHistory(messages: Json[], state: ReplayState): void {
  const incoming = messages.map(asObject)
  const ids = new Set(incoming.map((message) => asString(message.id)))
  const missing = new Map<string, string>()
  for (const id of state.live) if (!ids.has(id)) missing.set(messageText(state.known.get(id)!.message), id)
  state.live = []
  let added: MessageStep | undefined
  for (const message of incoming) {
    const id = asString(message.id)
    const same = missing.get(messageText(message))
    const known = state.known.get(id) ?? (same === undefined ? undefined : state.known.get(same))
    if (known) {
      known.message = { ...message, ...known.message }
      state.known.set(id, known)
      state.live.push(known.id)
      if (added) added.keepsFrom ??= known.id
    } else if (id) {
      addMessage(id, message, state)
      added ??= state.known.get(id)
    }
  }
}

function messageText(message: JsonObject): string {
  return `${asString(message.type)} ${contentParts(message.content).map(partText).join('\n').trim()}`
}

function applyPatch(patch: JsonObject, state: ReplayState): void {
  for (const update of [patch, ...asArray(patch.updates).map(asObject)]) applyUpdate(update, state)
  const removed = new Set(asArray(patch.removeIds).map(asString))
  state.live = state.live.filter((id) => !removed.has(id))
}

function applyUpdate(update: JsonObject, state: ReplayState): void {
  const { id, toolCalls, updates, removeIds, orderIds, ...rest } = update
  if (typeof id !== 'string') return
  const known = state.known.get(id)
  if (!known) return addMessage(id, { id, toolCalls, ...rest }, state)
  known.message = { ...known.message, ...rest, toolCalls: withResults(known.message.toolCalls, asArray(toolCalls)) }
}

/** A later result is masked, so the first one is kept. */
function withResults(calls: Json | undefined, results: Json[]): Json[] {
  const byCall = new Map(results.map((result) => [asString(asObject(result).id), asObject(result)]))
  return asArray(calls).map((value) => {
    const call = asObject(value)
    const result = byCall.get(asString(call.id))
    return result && asArray(call.result).length === 0 ? { ...call, ...result } : call
  })
}
