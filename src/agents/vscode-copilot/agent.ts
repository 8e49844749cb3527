// GitHub Copilot Chat in VS Code and editors made of it. Recordings of the extension 0.31 to 0.47 and
// VS Code to 1.119, source to August 2026. Sessions of Copilot CLI, Claude or Codex inside the editor
// are in the homes of those.
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { statOrUndefined } from '../../core/files.ts'
import type { Agent, DocumentTranscript } from '../agent.ts'
import { listEntries, listSubfolders } from '../files.ts'
import { editorFolders } from '../user-folders.ts'
import { readChat } from './chat.ts'
import { type TraceIndex, traceIndex, traceTranscript } from './traces.ts'
import { mentionsSession, readTranscript } from './transcript.ts'
import { workspaceOf } from './workspace.ts'

export const vscodeCopilot: Agent = {
  id: 'vscode-copilot',
  name: 'VS Code Copilot Chat',
  aliases: ['vscode', 'copilot-chat'],
  roots: editorFolders,
  *find(root) {
    const traces = join(root, 'globalStorage', 'github.copilot-chat', 'agent-traces.db')
    const spans = traceIndex(traces)
    const chats = chatFiles(root)
    for (const path of chats.values()) yield chatTranscript(path, spans)
    if (hasScreen(root)) return
    const transcripts = transcriptFiles(root)
    for (const path of transcripts) yield hookTranscript(path, chats, spans)
    if (existsSync(traces)) yield traceTranscript(traces, new Set([...chats.keys(), ...transcripts.map(nameOf)]))
  },
  sender: {
    // VS Code runs the hooks of Claude Code and of Copilot CLI, with a transcript of its own.
    transcriptFolder: 'GitHub.copilot-chat/transcripts',
    recognises: (fields) => isOwnTranscript(fields.get('transcript_path')),
  },
}

function isOwnTranscript(path = ''): boolean {
  return /[\\/]GitHub\.copilot-chat[\\/]+transcripts[\\/]/i.test(path)
}

/**
 * Chat sessions by id. Opening a folder copies those of an empty window; the copy that changed last
 * is the one in use.
 */
function chatFiles(root: string): Map<string, string> {
  const folders = [
    ...listSubfolders(join(root, 'workspaceStorage')).map((workspace) => join(workspace, 'chatSessions')),
    join(root, 'globalStorage', 'emptyWindowChatSessions'),
    join(root, 'globalStorage', 'transferredChatSessions'),
  ]
  const found = new Map<string, string>()
  for (const path of folders.flatMap(filesOf)) {
    const known = found.get(nameOf(path))
    if (known === undefined || isNewer(path, known)) found.set(nameOf(path), path)
  }
  return found
}

function filesOf(folder: string): string[] {
  return listEntries(folder)
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name))
    .map((entry) => join(folder, entry.name))
}

function nameOf(path: string): string {
  return basename(path).replace(/\.jsonl?$/, '')
}

/** Of the same folder the log is read, which has replaced the older form. */
function isNewer(path: string, known: string): boolean {
  if (dirname(path) === dirname(known)) return path.endsWith('.jsonl')
  return changedMs(path) > changedMs(known)
}

function changedMs(path: string): number {
  return statOrUndefined(path)?.mtimeMs ?? 0
}

function chatTranscript(path: string, spans: TraceIndex): DocumentTranscript {
  return {
    shape: 'document',
    path,
    read(out) {
      readChat(path, { place: workspaceOf(dirname(dirname(path))), spans }, out)
      return undefined
    },
  }
}

function transcriptFiles(root: string): string[] {
  return listSubfolders(join(root, 'workspaceStorage'))
    .flatMap((workspace) => filesOf(join(workspace, 'GitHub.copilot-chat', 'transcripts')))
    .filter((path) => path.endsWith('.jsonl'))
}

/**
 * Whether the editor runs here. It then has its state here, and its chat sessions, which may be
 * written a while after the transcript. On the other side of a remote window there are none.
 */
function hasScreen(root: string): boolean {
  return existsSync(join(root, 'globalStorage', 'state.vscdb'))
}

/** What hooks are given: the same conversation with less data. Read only without its chat session. */
function hookTranscript(path: string, chats: Map<string, string>, spans: TraceIndex): DocumentTranscript {
  const workspace = dirname(dirname(dirname(path)))
  return {
    shape: 'document',
    path,
    read(out) {
      const stored = filesOf(join(workspace, 'chatSessions'))
      const isKnown = chats.has(nameOf(path)) || stored.some((chat) => mentionsSession(chat, nameOf(path)))
      if (!isKnown) readTranscript(path, { place: workspaceOf(workspace), spans }, out)
      return undefined
    },
  }
}
