// Reads the first two stores of Kiro's editor: one `.chat` file per execution, and later one file
// per session, whose answers and edits are in files of executions. From documentation and other
// readers only: no such file was seen.
import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { Event, FileChange } from '../../core/session.ts'
import type { DocumentTranscript, ReaderOutput, SessionOutput } from '../agent.ts'
import { lineCount } from '../file-changes.ts'
import { findFiles, listSubfolders, readJsonFile } from '../files.ts'
import { asArray, asIsoTime, asObject, asString, fingerprint, type JsonObject, optionalString } from '../json-values.ts'
import { partsText } from '../kimi/content.ts'

/** Sessions below the storage of the editor's extension. */
export function* editorTranscripts(storage: string): Iterable<DocumentTranscript> {
  for (const folder of listSubfolders(storage)) {
    for (const path of findFiles(folder, /\.chat$/, 0)) {
      yield { shape: 'document', path, read: (out) => void readChat(path, out) }
    }
  }
  for (const folder of listSubfolders(join(storage, 'workspace-sessions'))) {
    for (const path of findFiles(folder, /\.json$/, 0)) {
      if (basename(path) === 'sessions.json') continue // a list of the others
      yield { shape: 'document', path, read: (out) => void readSession(path, storage, out) }
    }
  }
}

/** Files of one workflow repeat its messages, so keys are made of the workflow and the position. */
function readChat(path: string, out: ReaderOutput): void {
  const file = asObject(readJsonFile(path, out))
  const about = asObject(file.metadata)
  const session = out.session(basename(path, '.chat'))
  const model = optionalString(about.modelId)
  session.about({
    model,
    started: asIsoTime(about.startTime) ?? undefined,
    ended: asIsoTime(about.endTime) ?? undefined,
  })
  const workflow = optionalString(about.workflowId) ?? optionalString(file.executionId) ?? path
  for (const [index, value] of asArray(file.chat).entries()) {
    const message = asObject(value)
    const said = partsText(message.content).trim()
    if (!said || said === instructionsAnswer) continue
    const base = { id: '', key: fingerprint(workflow, index, asString(message.role), said), ts: null }
    if (message.role === 'human') session.event({ ...base, role: 'user', ...humanText(said) })
    else if (message.role === 'bot') session.event({ ...base, kind: 'reply', role: 'assistant', text: said, model })
    else if (message.role === 'tool') session.event({ ...base, kind: 'context', role: 'tool', text: said })
    else out.unknownType(`chat/${asString(message.role)}`)
  }
}

/** The first messages are the system prompt, which the model is made to accept. */
const instructionsAnswer = 'I will follow these instructions.'

function humanText(said: string): Pick<Event, 'kind' | 'text'> {
  const isMachine = /^(?:# (?:System Prompt|Identity)|<identity>|## Included Rules|You are operating in a workspace)/
  const typed = said.replace(/^<kiro-ide-message>([\s\S]*)<\/kiro-ide-message>$/, '$1').trim()
  return { kind: isMachine.test(said) ? 'context' : 'prompt', text: typed }
}

function readSession(path: string, storage: string, out: ReaderOutput): void {
  const file = asObject(readJsonFile(path, out))
  const rounds = asArray(file.history).map(asObject)
  if (rounds.length === 0) return
  const id = optionalString(file.sessionId) ?? basename(path, '.json')
  const cwd = optionalString(file.workspaceDirectory)
  const session = out.session(id)
  session.about({ cwd, title: optionalString(file.title), titleRank: 1 })
  const executions = findExecutions(cwd && join(storage, folderName(cwd)), rounds, out)
  rounds.forEach((round, index) => {
    const message = asObject(round.message)
    const said = partsText(message.content).trim()
    const role = asString(message.role)
    const own = asString(message.id)
    const base = { id: own, key: own || fingerprint(id, index, role, said), ts: null }
    if (role === 'user') {
      if (said) session.event({ ...base, kind: 'prompt', role: 'user', text: said })
    } else if (role === 'assistant') {
      // The message itself is a stub ("On it.") if there is a file of its execution.
      const actions = executions.get(asString(round.executionId))
      if (actions) readActions(actions, base.key, session)
      else if (said) session.event({ ...base, kind: 'reply', role: 'assistant', text: said })
    } else if (role !== 'tool') out.unknownType(`history/${role}`)
  })
}

function folderName(workspace: string): string {
  return createHash('sha256').update(workspace).digest('hex').slice(0, 32)
}

/** The actions of each execution that the rounds name. Its files have no telling names. */
function findExecutions(
  folder: string | undefined,
  rounds: readonly JsonObject[],
  out: ReaderOutput,
): Map<string, JsonObject[]> {
  const wanted = new Set(rounds.map(({ executionId }) => asString(executionId)).filter((id) => id !== ''))
  const found = new Map<string, JsonObject[]>()
  if (!folder || wanted.size === 0) return found
  for (const path of findFiles(folder, /^[^.]+$/, 1)) {
    if (dirname(path) === folder) continue
    const id = /"executionId"\s*:\s*"([^"]+)"/.exec(beginningOf(path))?.[1]
    if (id && wanted.has(id)) found.set(id, asArray(asObject(readJsonFile(path, out)).actions).map(asObject))
  }
  return found
}

function beginningOf(path: string): string {
  try {
    return readForeignText(path).slice(0, 2000)
  } catch {
    return '' // reported when it is read
  }
}

function readActions(actions: readonly JsonObject[], round: string, session: SessionOutput): void {
  actions.forEach((action, index) => {
    const id = asString(action.actionId)
    const base = { id, key: `${round}/${id || index}`, ts: asIsoTime(action.emittedAt) }
    const tool = asString(action.actionType)
    const input = asObject(action.input)
    if (tool === 'say') {
      const said = asString(asObject(action.output).message)
      if (said.trim()) session.event({ ...base, kind: 'reply', role: 'assistant', text: said })
      return
    }
    if (!tool || Object.keys(input).length === 0) return
    const { originalContent, modifiedContent, ...short } = input
    session.event({
      ...base,
      kind: 'tool_call',
      role: 'assistant',
      text: '',
      tool,
      call: id || undefined,
      input: short,
    })
    const files = changesOf(tool, input)
    if (files.length > 0)
      session.event({
        ...base,
        key: `${base.key}/edit`,
        kind: 'edit',
        role: 'tool',
        text: '',
        call: id || undefined,
        files,
      })
  })
}

function changesOf(tool: string, input: JsonObject): FileChange[] {
  const path = optionalString(input.file)
  if (!path || (tool !== 'replace' && tool !== 'create')) return []
  const added = lineCount(asString(input.modifiedContent))
  const removed = lineCount(asString(input.originalContent))
  return [{ path, change: tool === 'create' ? 'add' : 'update', added, removed }]
}
