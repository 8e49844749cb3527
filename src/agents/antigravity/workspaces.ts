// Finds the folder of a conversation. A transcript does not name it; the command line keeps
// `history.jsonl`, a line per prompt, and the last conversation of each folder. Both are read once
// per sweep, when the first conversation asks.
import { join } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import { parseJsonlLine, readLines } from '../../core/jsonl.ts'
import { pathOfUri } from '../file-changes.ts'
import { asObject, asString, optionalString, parseJson } from '../json-values.ts'

export interface Workspaces {
  ofConversation(id: string): string | undefined
  /** By the first prompt: it may be in the history before the conversation has an id. */
  ofPrompt(prompt: string, ts: string | null): string | undefined
}

interface HistoryRow {
  prompt: string
  atMs: number
  workspace: string
}

/** Between a line of the history and the step of the same prompt. */
const maxDistanceMs = 10_000

export function findWorkspaces(root: string): Workspaces {
  let known: { byId: Map<string, string>; unnamed: HistoryRow[] } | undefined
  const read = () => {
    known ??= readHistory(root)
    return known
  }
  return {
    ofConversation: (id) => read().byId.get(id),
    ofPrompt(prompt, ts) {
      const atMs = Date.parse(ts ?? '')
      const rows = read().unnamed.filter(
        (row) => row.prompt === prompt.trim() && Math.abs(row.atMs - atMs) <= maxDistanceMs,
      )
      return new Set(rows.map((row) => row.workspace)).size === 1 ? rows[0]!.workspace : undefined
    },
  }
}

function readHistory(root: string): { byId: Map<string, string>; unnamed: HistoryRow[] } {
  const byId = new Map<string, string>()
  const unnamed: HistoryRow[] = []
  for (const [folder, id] of Object.entries(lastConversations(root))) byId.set(asString(id), folder)
  const rows = historyRows(join(root, 'history.jsonl'))
  for (const { id, ...row } of rows) if (!id) unnamed.push(row)
  for (const { id, workspace } of rows.toReversed()) if (id) byId.set(id, workspace) // the first one wins
  return { byId, unnamed }
}

function historyRows(path: string): (HistoryRow & { id: string | undefined })[] {
  try {
    const records = [...readLines(path)].flatMap((line) => parseJsonlLine(line).records)
    return records.flatMap(({ display, timestamp, workspace, conversationId }) => {
      if (!optionalString(workspace)) return []
      const atMs = typeof timestamp === 'number' ? timestamp : Date.parse(asString(timestamp))
      const row = { prompt: asString(display).trim(), atMs, workspace: pathOfUri(asString(workspace)) }
      return [{ ...row, id: optionalString(conversationId) }]
    })
  } catch {
    return [] // the editor has no such file
  }
}

function lastConversations(root: string): ReturnType<typeof asObject> {
  try {
    return asObject(parseJson(readForeignText(join(root, 'cache', 'last_conversations.json'))))
  } catch {
    return {}
  }
}
