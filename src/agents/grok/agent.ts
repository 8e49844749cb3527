// Grok: xAI's Grok Build (source of August 2026, seen live in 1.0.5), one folder per session; and
// in the same home the database of grok-cli, an unrelated community tool.

import { basename, dirname, join } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { SessionDetails } from '../../core/session.ts'
import type { Agent, DocumentTranscript, ReaderOutput } from '../agent.ts'
import { listEntries, listSubfolders, readJsonFile } from '../files.ts'
import { asArray, asCount, asIsoTime, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { configTomlMcp } from '../mcp-files.ts'
import { readChatHistory } from './chat-history.ts'
import { communityDatabase } from './community.ts'
import { grokHooks } from './hooks.ts'
import { readUpdates } from './reader.ts'
import { type GrokSession, readTimeline, readTurnLog, sortUpdates, unclosedTurns } from './timeline.ts'

export const grok: Agent = {
  id: 'grok',
  name: 'Grok',
  // The community tool ignores GROK_HOME: its database is in the default home.
  roots: (machine) => [...new Set([grokHooks.home(machine), join(machine.home, '.grok')])],
  *find(root) {
    const sessions = listSubfolders(join(root, 'sessions')).flatMap(listSubfolders)
    const parents = parentFolders(sessions)
    for (const folder of sessions) {
      const transcript = sessionTranscript(folder, parents)
      if (transcript) yield transcript
    }
    if (listEntries(root).some((entry) => entry.name === 'grok.db')) yield communityDatabase(join(root, 'grok.db'))
  },
  hooks: grokHooks,
  mcp: configTomlMcp(grokHooks.home),
}

/** A subagent has a session folder like any other; only its parent's folder names both reliably. */
function parentFolders(sessions: string[]): Map<string, string> {
  const parents = new Map<string, string>()
  for (const folder of sessions) {
    for (const child of listEntries(join(folder, 'subagents'))) if (child.isDirectory()) parents.set(child.name, folder)
  }
  return parents
}

function sessionTranscript(folder: string, parents: Map<string, string>): DocumentTranscript | undefined {
  const names = new Set(listEntries(folder).map((entry) => entry.name))
  const main = ['updates.jsonl', 'chat_history.jsonl'].find((name) => names.has(name))
  if (!main) return undefined
  const parent = parents.get(basename(folder))
  const others = ['updates.jsonl', 'chat_history.jsonl', 'events.jsonl', 'summary.json'].filter((name) => name !== main)
  const also = others.map((name) => join(folder, name))
  if (parent) also.push(metaFile(parent, folder))
  return {
    shape: 'document',
    path: join(folder, main),
    also,
    read(out) {
      readSession(folder, parent, out)
      return undefined
    },
  }
}

function metaFile(parent: string, folder: string): string {
  return join(parent, 'subagents', basename(folder), 'meta.json')
}

function readSession(folder: string, parent: string | undefined, out: ReaderOutput): void {
  const session = basename(folder)
  const summary = asObject(readJsonFile(join(folder, 'summary.json'), out))
  const kind = sessionKind(summary, parent)
  const place: GrokSession = { out, session, isSubagent: kind === 'subagent' }
  out.session(session).about({
    ...aboutOf(summary),
    kind,
    parent: optionalString(summary.parent_session_id) ?? (parent ? basename(parent) : undefined),
    cwd: optionalString(asObject(summary.info).cwd) ?? folderOfGroup(dirname(folder)),
  })
  if (parent) out.session(session).about(taskTitle(asObject(readJsonFile(metaFile(parent, folder), out))))
  const timeline = readTimeline(join(folder, 'updates.jsonl'), session, out)
  // Old sessions have no update log, and that of a subagent with its parent's history starts empty.
  if (timeline.length === 0) {
    out
      .session(session)
      .about({ started: optionalString(summary.created_at), ended: optionalString(summary.last_active_at) })
    return readChatHistory(join(folder, 'chat_history.jsonl'), asCount(summary.inherited_prefix_len), place)
  }
  const journal = readTurnLog(join(folder, 'events.jsonl'), out)
  readUpdates(sortUpdates([...timeline, ...unclosedTurns(journal, timeline, session)]), journal, place)
}

function sessionKind(summary: JsonObject, parent: string | undefined): SessionDetails['kind'] {
  const kind = asString(summary.session_kind)
  if (parent || kind.startsWith('subagent')) return 'subagent'
  return optionalString(summary.parent_session_id) || kind === 'fork' ? 'fork' : undefined
}

function aboutOf(summary: JsonObject): SessionDetails {
  const manual =
    optionalString(summary.session_name) ??
    (summary.title_is_manual === true ? optionalString(summary.generated_title) : '')
  const title = manual || optionalString(summary.generated_title) || optionalString(summary.session_summary)
  return {
    title,
    titleRank: manual ? 4 : optionalString(summary.generated_title) ? 3 : 0,
    branch: optionalString(summary.head_branch),
    remote: asArray(summary.git_remotes).map(asString).find(Boolean),
    root: optionalString(summary.git_root_dir)?.replace(/(?<=.)[\\/]$/, ''),
    model: optionalString(summary.current_model_id),
  }
}

function taskTitle(meta: JsonObject): SessionDetails {
  const title = [optionalString(meta.subagent_type), optionalString(meta.description)].filter(Boolean).join(': ')
  return { title: title || undefined, titleRank: 3, started: asIsoTime(meta.started_at) ?? undefined }
}

/**
 * The group folder is the percent-encoded working folder, or a short name with the path in the file
 * `.cwd`.
 */
function folderOfGroup(group: string): string | undefined {
  try {
    const written = readForeignText(join(group, '.cwd')).trim()
    if (written) return written
  } catch {
    // most groups have no such file
  }
  try {
    const decoded = decodeURIComponent(basename(group))
    return decoded === basename(group) ? undefined : decoded
  } catch {
    return undefined // a name that only looks encoded
  }
}
