// A task folder: the rows that the chat view shows, the messages that the model got, and what the index says of it.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { DocumentTranscript, ReaderOutput } from '../agent.ts'
import { readJsonFile } from '../files.ts'
import { asArray, asIsoTime, asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'
import { pendingCalls } from '../pending-calls.ts'
import { apiHistory, type NamedModel } from './api-history.ts'
import { readRows } from './rows.ts'

export interface TaskSource {
  dialect: 'cline' | 'roo'
  /** What the task list says of a task. */
  index: (task: string) => JsonObject
}

export function taskTranscript(folder: string, source: TaskSource): DocumentTranscript {
  const path = join(folder, 'ui_messages.json')
  const messages = join(folder, 'api_conversation_history.json')
  const item = join(folder, 'history_item.json')
  return {
    shape: 'document',
    path,
    also: source.dialect === 'roo' ? [messages, item] : [messages],
    read(out) {
      readTask({ folder, path, messages, item, source }, out)
      return undefined
    },
  }
}

interface TaskFiles {
  folder: string
  path: string
  messages: string
  item: string
  source: TaskSource
}

function readTask({ folder, path, messages, item, source }: TaskFiles, out: ReaderOutput): void {
  const rows = asArray(readJsonFile(path, out)).map(asObject)
  if (rows.length === 0) return
  const task = basename(folder)
  const history = apiHistory(
    readJsonFile(messages, out),
    namedModels(asObject(readJsonFile(join(folder, 'task_metadata.json'), out))),
  )
  const known =
    source.dialect === 'roo' ? { ...source.index(task), ...asObject(readJsonFile(item, out)) } : source.index(task)
  const parent = optionalString(known.parentTaskId)
  const cwd = optionalString(known.workspace) ?? optionalString(known.cwdOnTaskInitialization) ?? history.cwd
  const session = out.session(task)
  session.about({
    kind: parent ? 'subagent' : undefined,
    parent,
    cwd,
    model: optionalString(known.modelId) ?? history.model,
  })
  readRows(rows, {
    task,
    session,
    out,
    history,
    cwd,
    isChild: parent !== undefined,
    calls: pendingCalls(undefined),
    times: new Map(),
    requestTimes: rows.filter((row) => row.say === 'api_req_started').map((row) => asIsoTime(row.ts) ?? ''),
    lastSaid: '',
    lastRange: '',
    isSummarised: false,
  })
}

/** Before rows named the model, Cline noted each change of it here. */
function namedModels(metadata: JsonObject): NamedModel[] {
  return asArray(metadata.model_usage)
    .map(asObject)
    .map((used) => ({ ts: asIsoTime(used.ts) ?? '', model: asString(used.model_id) }))
}

/** The list grows with every task: it is read once for all tasks of a storage, and only when one of them changed. */
export function taskIndex(path: string): (task: string) => JsonObject {
  let items: Map<string, JsonObject> | undefined
  return (task) => {
    items ??= new Map(itemsIn(path).map((item) => [asString(item.id), item]))
    return items.get(task) ?? {}
  }
}

function itemsIn(path: string): JsonObject[] {
  try {
    const content = parseJson(readFileSync(path, 'utf8'))
    return (Array.isArray(content) ? content : asArray(asObject(content).entries)).map(asObject)
  } catch {
    return [] // older versions kept the list in the editor's own state
  }
}
