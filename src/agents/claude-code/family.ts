// Makes an agent of a program of the Claude Code family: one JSONL file per session, subagents in files
// of their own.
import { basename, join, sep } from 'node:path'
import type { Agent, LogTranscript } from '../agent.ts'
import { findFiles, listEntries, listSubfolders } from '../files.ts'
import { repairMessagesBlock } from '../repaired-parts.ts'
import { openTranscript } from './reader.ts'
import { type ClaudeDialect, metaPathOf } from './state.ts'

export interface ClaudeMember extends Omit<Agent, 'find'> {
  dialect: ClaudeDialect
}

type MakeTranscript = (path: string, beside?: string) => LogTranscript

export function claudeAgent({ dialect, ...agent }: ClaudeMember): Agent {
  const transcript: MakeTranscript = (path, beside) => ({
    shape: 'log',
    path,
    ...(beside ? { beside } : {}),
    isNoise,
    open: (out, state) => openTranscript({ path, dialect, out }, state),
  })
  return { userReplies, repairPart: repairMessagesBlock, ...agent, find: (root) => findBelow(root, transcript) }
}

/** Results of 2.x. Answers: `"Q"="A" user notes: N, "Q"="A". You can now continue`. */
const userReplies: Agent['userReplies'] = {
  denials: [
    "(?:Error: )?(?:The user doesn't want to|Permission for this tool use was denied)[^\\n]{0,400}?\\bthe user said:",
  ],
  hasComments: true,
  trailingNote: "Note: The user's next message",
  questionTools: ['AskUserQuestion'],
  answerPatterns: [
    String.raw`"([^"\n]{1,2000})"="([^"]{0,5000})"(?:\.? selected preview:\n(?:(?!user notes:|, "|\. You can now)[\s\S]){0,5000})?(?:\.?\s*user notes: ((?:(?!, "|\. You can now)[\s\S]){0,5000}))?`,
  ],
}

function* findBelow(root: string, transcript: MakeTranscript): Iterable<LogTranscript> {
  for (const project of listSubfolders(join(root, 'projects'))) yield* findInProject(project, transcript)
  // Desktop sessions have a .claude of their own below <account>/<organisation>/<session>/.
  if (root.endsWith('-sessions')) for (const config of findConfigFolders(root, 5)) yield* findBelow(config, transcript)
}

/** Sessions before their subagents: events that both contain belong to the session. */
function* findInProject(folder: string, transcript: MakeTranscript): Iterable<LogTranscript> {
  const found = listEntries(folder)
  for (const entry of found) {
    if (entry.isFile() && entry.name.endsWith('.jsonl')) yield transcript(folder + sep + entry.name)
  }
  for (const entry of found) {
    if (!entry.isDirectory()) continue
    for (const path of findFiles(join(folder, entry.name, 'subagents'), /^agent-.*\.jsonl$/, 5))
      yield transcript(path, metaPathOf(path))
  }
}

function* findConfigFolders(folder: string, depth: number): Iterable<string> {
  for (const child of listSubfolders(folder)) {
    if (basename(child) === '.claude') yield child
    else if (depth > 0) yield* findConfigFolders(child, depth - 1)
  }
}

const progress = Buffer.from('"type":"progress","data":{"type":"')
const progressEnd = Buffer.from('"toolUseID":"')
const request = Buffer.from('{"type":"api-request')
const chained = Buffer.from('{"parentUuid":')

/**
 * Recognises records that only repeat others, before they are parsed. To 2.1.8x a third of all
 * records were progress notes that repeat results; 2.1.28x writes every request with its whole
 * body. A torn line may have another record appended, so its end is checked too.
 */
function isNoise(line: Buffer): boolean {
  if (line.subarray(0, request.length).equals(request)) return line.indexOf(chained, 1) < 0
  return line.subarray(0, 1500).includes(progress) && line.subarray(-800).includes(progressEnd)
}
