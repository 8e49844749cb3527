// Reads a chat session: requests with what a person typed, the response as it was shown, and a result
// with the rounds of the model: text, calls with arguments, and their results.
import { basename } from 'node:path'
import type { Json, SessionDetails } from '../../core/session.ts'
import type { ReaderOutput, SessionOutput } from '../agent.ts'
import { readJsonFile } from '../files.ts'
import {
  asArray,
  asIsoTime,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import { pathOfUri } from '../user-folders.ts'
import { replayLog } from './mutation-log.ts'
import { type ResponsePart, responseParts, uriPath } from './parts.ts'
import { type RequestContext, readRounds, readShown } from './response.ts'
import type { TraceIndex } from './traces.ts'
import { requestUsage, sharesOf } from './usage.ts'
import type { Workspace } from './workspace.ts'

export interface ChatContext {
  place: Workspace
  spans: TraceIndex
}

export function readChat(path: string, { place, spans }: ChatContext, out: ReaderOutput): void {
  const document = path.endsWith('.jsonl') ? replayLog(path, out) : asObject(readJsonFile(path, out))
  const requests = asArray(document.requests).map(asObject)
  if (!requests.some(hasContent)) return
  const id = optionalString(document.sessionId) ?? basename(path).replace(/\.jsonl?$/, '')
  const session = out.session(id)
  const about = aboutOf(id, document, requests, place)
  session.about(about)
  // Hooks and traces call the conversation by an id that may be another one.
  const names = [id, ...requests.map((request) => asString(metadataOf(request).sessionId))]
  const spent = sharesOf(
    spans([...new Set(names)]),
    requests.map((request) => asIsoTime(request.timestamp) ?? ''),
  )
  requests.forEach((request, index) => {
    const key = optionalString(request.requestId) ?? `${id}/${index}`
    const model = modelOf(request, document)
    const base = { id: key, key, ts: asIsoTime(request.timestamp) }
    const ended = asIsoTime(asObject(request.modelState).completedAt)
    readRequest(request, { base, ended, out, session, model, cwd: about.cwd })
    for (const usage of requestUsage(request, spent[index] ?? [], { ...base, model })) session.usage(usage)
  })
  readUndone(requests, id, session)
}

function hasContent(request: JsonObject): boolean {
  return messageText(request) !== '' || asArray(request.response).length > 0
}

function metadataOf(request: JsonObject): JsonObject {
  return asObject(asObject(request.result).metadata)
}

function aboutOf(id: string, document: JsonObject, requests: JsonObject[], place: Workspace): SessionDetails {
  const last = requests.at(-1)!
  const repository = asObject(document.repoData)
  const entry = place.entryOf(id)
  return {
    ...titleOf(document, entry, requests),
    cwd: folderOf(entry.workingDirectory) ?? place.folder ?? rootIn(requests),
    branch: optionalString(repository.localBranch),
    remote: optionalString(repository.remoteUrl),
    model: requests.map((request) => modelOf(request, document)).findLast(Boolean),
    version: optionalString(asObject(last.agent).extensionVersion),
    started: asIsoTime(document.creationDate) ?? undefined,
    ended: asIsoTime(asObject(last.modelState).completedAt ?? document.lastMessageDate) ?? undefined,
  }
}

/** Until it is named, the list shows the beginning of the first prompt. */
function titleOf(document: JsonObject, entry: JsonObject, requests: JsonObject[]): Partial<SessionDetails> {
  const custom = optionalString(document.customTitle)
  if (custom) return { title: custom, titleRank: 3 }
  const title = optionalString(entry.title)
  if (!title || title === 'New Chat') return {}
  return { title, titleRank: messageText(requests[0]!).startsWith(title.replace(/…$|\.\.\.$/, '')) ? 0 : 3 }
}

function folderOf(uri: Json | undefined): string | undefined {
  return typeof uri === 'string' ? pathOfUri(uri) : uriPath(uri) || undefined
}

/** Copilot names the folder for its cache, also where the window has no file that does. */
function rootIn(requests: JsonObject[]): string | undefined {
  const keys = requests.map(metadataOf).map((data) => asString(data.cacheKey) || asString(data.globalContextCacheKey))
  return keys.map((key) => (key.includes('://') ? pathOfUri(key) : undefined)).findLast(Boolean)
}

/** `auto` means that Copilot chose; then its name for display is known. */
function modelOf(request: JsonObject, document: JsonObject): string | undefined {
  const selected = asObject(asObject(document.inputState).selectedModel).identifier
  const shown = optionalString(asString(asObject(request.result).details).split(' • ')[0])
  const named = [metadataOf(request).resolvedModel, request.modelId, shown, selected].map((name) =>
    asString(name).replace(/^copilot\//, ''),
  )
  return named.find((name) => name !== '' && name !== 'auto')
}

function readRequest(request: JsonObject, context: RequestContext): void {
  readPrompt(request, context)
  const parts = responseParts(asArray(request.response), context.out)
  const metadata = metadataOf(request)
  const edited =
    asArray(metadata.toolCallRounds).length > 0
      ? readRounds(metadata, parts, context)
      : readShown(parts, context, asObject(request.modelState).value === 1)
  readOtherEdits(parts, edited, context)
  readEnd(request, context)
}

function readPrompt(request: JsonObject, { base, session }: RequestContext): void {
  const images = asArray(asObject(request.variableData).variables)
    .map(asObject)
    .filter((variable) => variable.kind === 'image' || variable.isImage === true)
    .map((image) => imagePlaceholder(optionalString(image.mimeType), ''))
  const text = [messageText(request).trim(), ...images].filter(Boolean).join('\n')
  if (!text) return
  // A button was pressed, or the editor reports the end of a command.
  const isMachine = request.confirmation !== undefined || request.isSystemInitiated === true
  const isCommand = /^\/[a-z][\w.-]*(?:\s|$)/i.test(text)
  session.event({ ...base, kind: isMachine ? 'context' : isCommand ? 'command' : 'prompt', role: 'user', text })
}

/** A text in the oldest files. */
function messageText({ message }: JsonObject): string {
  return typeof message === 'string' ? message : asString(asObject(message).text)
}

/** Edits without a call that names the file: of subagents, and of the modes before agents. */
function readOtherEdits(parts: ResponsePart[], edited: Set<string>, { base, session }: RequestContext): void {
  const paths = parts.flatMap((part) => (part.kind === 'edit' && !edited.has(part.path) ? part.path : []))
  const files = [...new Set(paths)].filter(Boolean).map((path) => ({ path, change: 'update' as const }))
  if (files.length > 0)
    session.event({ ...base, key: `${base.key}/edits`, kind: 'edit', role: 'assistant', text: '', files })
}

/** A session that is saved while it runs has the state 2, too. */
function readEnd(request: JsonObject, { base, ended, session }: RequestContext): void {
  const { value } = asObject(request.modelState)
  const ts = ended ?? base.ts
  const problem = asObject(asObject(request.result).errorDetails)
  const text = optionalString(problem.message) ?? (value === 3 ? 'The request failed' : '')
  if (value === 2 || request.isCanceled === true)
    session.event({ ...base, ts, key: `${base.key}/cancelled`, kind: 'interrupt', role: 'user', text: 'Cancelled' })
  else if (text) session.event({ ...base, ts, key: `${base.key}/error`, kind: 'error', role: 'system', text })
}

/** The user went back to an earlier state: the next prompt removes these requests from the file. */
function readUndone(requests: JsonObject[], id: string, session: SessionOutput): void {
  const undone = requests.filter(({ shouldBeRemovedOnSend: mark, isHidden }) =>
    mark ? asObject(mark).afterUndoStop === undefined : isHidden === true,
  )
  const first = undone.at(0)
  if (!first) return
  const key = `${optionalString(first.requestId) ?? id}/undone`
  const text = 'Restored a checkpoint'
  session.event({ id: '', key, ts: null, kind: 'lifecycle', role: 'system', text, undoes: undone.length })
}
