// Sessions of Goose before its database: a line about the session, then one line per message.
import { basename } from 'node:path'
import type { Out } from '../agent.ts'
import { records } from '../files.ts'
import { type Fields, fields, list, named, text, time } from '../values.ts'
import { readConversation, type StoredMessage } from './conversation.ts'
import { accumulatedUsage } from './usage.ts'

export function readLegacy(path: string, out: Out): void {
  const id = basename(path, '.jsonl')
  let facts: Fields = {}
  const messages: StoredMessage[] = []
  for (const { record } of records(path, out)) {
    if (typeof record.role === 'string') messages.push(messageOf(record))
    else if ('working_dir' in record || 'description' in record) facts = record
    else out.unknown('line without role')
  }
  if (messages.length === 0) return
  const session = out.session(id)
  session.about({ cwd: named(facts.working_dir), title: named(facts.description), titleRank: 3 })
  readConversation(messages, { id, out, session, cwd: named(facts.working_dir), isHuman: true })
  const usage = accumulatedUsage(id, facts, { model: null, ts: messages[0]!.ts })
  if (usage) session.usage(usage)
}

function messageOf(record: Fields): StoredMessage {
  return {
    id: text(record.id),
    role: text(record.role),
    ts: time(record.created),
    content: list(record.content).map(fields),
    metadata: fields(record.metadata),
  }
}
