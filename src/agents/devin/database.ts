// Reads the sessions of Devin CLI. The messages of a session are a forest, of which most can be
// abandoned: only the path that ends in the last message counts. What it leaves behind is not read.
import { join } from 'node:path'
import { statOrUndefined } from '../../core/files.ts'
import type { Json } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { type ForeignDatabase, readChanged, withDatabase } from '../database.ts'
import { readJsonFile } from '../files.ts'
import { asArray, asIsoTime, asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'
import { type DevinMessage, readMessages } from './messages.ts'
import { stepUsages } from './usage.ts'

export function readDatabase(
  path: string,
  transcripts: string,
  out: ReaderOutput,
  memo: Json | undefined,
): Json | undefined {
  const result = withDatabase(path, out, (database) => {
    const sessions = database.rows('SELECT * FROM sessions').filter((row) => row.hidden !== 1)
    return readChanged(
      out,
      memo,
      sessions.map((row) => {
        const transcript = join(transcripts, `${asString(row.id)}.json`)
        return {
          id: asString(row.id),
          version: versionOf(row, transcript),
          read: () => readSession(database, row, transcript, out),
        }
      }),
    )
  })
  return result ?? memo
}

function versionOf(row: JsonObject, transcript: string): string {
  const file = statOrUndefined(transcript)
  const { last_activity_at, main_chain_id, title } = row
  return JSON.stringify([last_activity_at, main_chain_id, title, file?.size, file?.mtimeMs])
}

function readSession(database: ForeignDatabase, row: JsonObject, transcript: string, out: ReaderOutput): void {
  const id = asString(row.id)
  const messages = messagesOf(database, id, row.main_chain_id, out)
  const atif = asObject(readJsonFile(transcript, out))
  const usages = stepUsages(id, atif, optionalString(row.model))
  if (!id || messages.length + usages.length === 0) return
  const session = out.session(id)
  const cwd = optionalString(row.working_directory)
  session.about({
    cwd,
    title: optionalString(row.title),
    titleRank: 3,
    model: optionalString(row.model),
    started: asIsoTime(row.created_at) ?? undefined,
    ended: asIsoTime(row.last_activity_at) ?? undefined,
  })
  readMessages(messages, { id, cwd, session, out })
  for (const usage of usages) session.usage(usage)
}

/** From the last message back to the first; a loop ends where it begins. */
function messagesOf(database: ForeignDatabase, session: string, leaf: Json | undefined, out: ReaderOutput) {
  const nodes = database.rows(
    'SELECT row_id, node_id, parent_node_id FROM message_nodes WHERE session_id = ? ORDER BY row_id',
    session,
  )
  const byId = new Map(nodes.map((node) => [asKey(node.node_id), node]))
  const path = new Set<JsonObject>()
  for (
    let node = byId.get(asKey(leaf)) ?? nodes.at(-1);
    node && !path.has(node);
    node = byId.get(asKey(node.parent_node_id))
  )
    path.add(node)
  return [...path].reverse().flatMap((node) => messageOf(database, node, out))
}

/** Ids are numbers in the versions that were surveyed. */
function asKey(id: Json | undefined): string {
  return typeof id === 'number' || typeof id === 'string' ? String(id) : ''
}

function messageOf(database: ForeignDatabase, { row_id }: JsonObject, out: ReaderOutput): DevinMessage[] {
  const sql = 'SELECT node_id, chat_message, created_at FROM message_nodes WHERE row_id = ?'
  const row = database.rows(sql, Number(row_id))[0] ?? {}
  const message = asObject(parseJson(asString(row.chat_message)))
  if (!optionalString(message.role)) {
    out.problem(0, `message ${asKey(row.node_id)} has no role`)
    return []
  }
  return [
    {
      id: optionalString(message.message_id) ?? asKey(row.node_id),
      role: asString(message.role),
      ts: asIsoTime(row.created_at),
      content: message.content,
      thinking: asString(asObject(message.thinking).thinking) || asString(message.thinking),
      isTyped: asObject(message.metadata).is_user_input === true,
      calls: asArray(message.tool_calls).map(asObject),
      call: optionalString(message.tool_call_id),
    },
  ]
}
