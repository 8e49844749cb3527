// A task folder: the rows that the chat view shows, the messages that the model got, and what the index says of it.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { DocumentTranscript, Out } from '../agent.ts'
import { callBook } from '../calls.ts'
import { jsonFile } from '../files.ts'
import { type Fields, fields, list, named, parseJson, text, time } from '../values.ts'
import { apiHistory, type NamedModel } from './api-history.ts'
import { readRows } from './rows.ts'

export interface TaskSource {
  dialect: 'cline' | 'roo'
  /** What the task list says of a task. */
  index: (task: string) => Fields
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

function readTask({ folder, path, messages, item, source }: TaskFiles, out: Out): void {
  const rows = list(jsonFile(path, out)).map(fields)
  if (rows.length === 0) return
  const task = basename(folder)
  const history = apiHistory(
    jsonFile(messages, out),
    namedModels(fields(jsonFile(join(folder, 'task_metadata.json'), out))),
  )
  const known =
    source.dialect === 'roo' ? { ...source.index(task), ...fields(jsonFile(item, out)) } : source.index(task)
  const parent = named(known.parentTaskId)
  const cwd = named(known.workspace) ?? named(known.cwdOnTaskInitialization) ?? history.cwd
  const session = out.session(task)
  session.about({ kind: parent ? 'subagent' : undefined, parent, cwd, model: named(known.modelId) ?? history.model })
  readRows(rows, {
    task,
    session,
    out,
    history,
    cwd,
    isChild: parent !== undefined,
    calls: callBook(undefined),
    times: new Map(),
    requestTimes: rows.filter((row) => row.say === 'api_req_started').map((row) => time(row.ts) ?? ''),
    lastSaid: '',
    lastRange: '',
    isSummarised: false,
  })
}

/** Before rows named the model, Cline noted each change of it here. */
function namedModels(metadata: Fields): NamedModel[] {
  return list(metadata.model_usage)
    .map(fields)
    .map((used) => ({ ts: time(used.ts) ?? '', model: text(used.model_id) }))
}

/** The list grows with every task: it is read once for all tasks of a storage, and only when one of them changed. */
export function taskIndex(path: string): (task: string) => Fields {
  let items: Map<string, Fields> | undefined
  return (task) => {
    items ??= new Map(itemsIn(path).map((item) => [text(item.id), item]))
    return items.get(task) ?? {}
  }
}

function itemsIn(path: string): Fields[] {
  try {
    const content = parseJson(readFileSync(path, 'utf8'))
    return (Array.isArray(content) ? content : list(fields(content).entries)).map(fields)
  } catch {
    return [] // older versions kept the list in the editor's own state
  }
}
