// Sessions of Goose before its database: a line about the session, then one line per message.
import { basename } from 'node:path'
import type { ReaderOutput } from '../agent.ts'
import { readRecords } from '../files.ts'
import { asArray, asIsoTime, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { readConversation, type StoredMessage } from './conversation.ts'
import { accumulatedUsage } from './usage.ts'

export function readLegacy(path: string, out: ReaderOutput): void {
  const id = basename(path, '.jsonl')
  let facts: JsonObject = {}
  const messages: StoredMessage[] = []
  for (const { record } of readRecords(path, out)) {
    if (typeof record.role === 'string') messages.push(messageOf(record))
    else if ('working_dir' in record || 'description' in record) facts = record
    else out.unknownType('line without role')
  }
  if (messages.length === 0) return
  const session = out.session(id)
  session.about({ cwd: optionalString(facts.working_dir), title: optionalString(facts.description), titleRank: 3 })
  readConversation(messages, { id, out, session, cwd: optionalString(facts.working_dir), isHuman: true })
  const usage = accumulatedUsage(id, facts, { model: null, ts: messages[0]!.ts })
  if (usage) session.usage(usage)
}

function messageOf(record: JsonObject): StoredMessage {
  return {
    id: asString(record.id),
    role: asString(record.role),
    ts: asIsoTime(record.created),
    content: asArray(record.content).map(asObject),
    metadata: asObject(record.metadata),
  }
}
