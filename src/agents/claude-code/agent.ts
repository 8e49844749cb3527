// Claude Code, 1.0 to 2.1.325: one JSONL file per session, subagents in files of their own.
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import type { Agent, InstructionFiles, LogTranscript } from '../agent.ts'
import { findFiles, listEntries, listSubfolders } from '../files.ts'
import { blockIn, importsAgentsFile } from '../instruction-files.ts'
import { claudeCodeMcp } from '../mcp-files.ts'
import { applicationData } from '../user-folders.ts'
import { claudeCodeHandoff } from './handoff.ts'
import { claudeCodeHooks, claudeCodeStatusLine, configuredHomes } from './hooks.ts'
import { claudeCodeMemories } from './memories.ts'
import { openTranscript } from './reader.ts'

export const claudeCode: Agent = {
  id: 'claude-code',
  name: 'Claude Code',
  resume: 'claude --resume <id>',
  roots(machine) {
    const { home } = machine
    const homes = configuredHomes(machine)
    const desktop = join(applicationData(machine), 'Claude')
    return [
      ...(homes.length > 0 ? homes : [join(home, '.claude'), join(home, '.config', 'claude')]),
      join(desktop, 'claude-code-sessions'),
      join(desktop, 'local-agent-mode-sessions'),
    ]
  },
  *find(root) {
    for (const project of listSubfolders(join(root, 'projects'))) yield* findInProject(project)
    // Desktop sessions have a .claude of their own below <account>/<organisation>/<session>/.
    if (root.endsWith('-sessions')) for (const config of findConfigFolders(root, 5)) yield* claudeCode.find(config)
  },
  hooks: claudeCodeHooks,
  statusLine: claudeCodeStatusLine,
  mcp: claudeCodeMcp((machine) => configuredHomes(machine)[0]),
  memories: claudeCodeMemories,
  instructions: { inProject: instructionsInProject, ofUser: instructionsOfUser },
  isForkable: true,
  handoff: claudeCodeHandoff,
  // Results of 2.x. Answers: `"Q"="A" user notes: N, "Q"="A". You can now continue`.
  userReplies: {
    denials: [
      "(?:Error: )?(?:The user doesn't want to|Permission for this tool use was denied)[^\\n]{0,400}?\\bthe user said:",
    ],
    hasComments: true,
    trailingNote: "Note: The user's next message",
    questionTools: ['AskUserQuestion'],
    answerPatterns: [
      String.raw`"([^"\n]{1,2000})"="([^"]{0,5000})"(?:\.? selected preview:\n(?:(?!user notes:|, "|\. You can now)[\s\S]){0,5000})?(?:\.?\s*user notes: ((?:(?!, "|\. You can now)[\s\S]){0,5000}))?`,
    ],
  },
}

/** Sessions before their subagents: events that both contain belong to the session. */
function* findInProject(folder: string): Iterable<LogTranscript> {
  const found = listEntries(folder)
  for (const entry of found) {
    if (entry.isFile() && entry.name.endsWith('.jsonl')) yield transcript(join(folder, entry.name))
  }
  for (const entry of found) {
    if (!entry.isDirectory()) continue
    for (const path of findFiles(join(folder, entry.name, 'subagents'), /^agent-.*\.jsonl$/, 5)) yield transcript(path)
  }
}

function* findConfigFolders(folder: string, depth: number): Iterable<string> {
  for (const child of listSubfolders(folder)) {
    if (basename(child) === '.claude') yield child
    else if (depth > 0) yield* findConfigFolders(child, depth - 1)
  }
}

function transcript(path: string): LogTranscript {
  return { shape: 'log', path, isNoise, open: (out, state) => openTranscript(path, out, state) }
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

/**
 * Claude Code reads AGENTS.md if there is no CLAUDE.md: creating one would hide everything that is
 * written in AGENTS.md.
 */
function instructionsInProject(root: string): InstructionFiles {
  const hasOnlyAgents = existsSync(join(root, 'AGENTS.md')) && !existsSync(join(root, 'CLAUDE.md'))
  const file = hasOnlyAgents || importsAgentsFile(root, 'CLAUDE.md') ? 'AGENTS.md' : 'CLAUDE.md'
  const skills = { folder: join(root, '.claude/skills'), alsoReads: [] }
  return { rules: blockIn(join(root, file)), alsoReads: [], skills }
}

function instructionsOfUser({ home, env }: Machine): InstructionFiles {
  const folder = env.CLAUDE_CONFIG_DIR || join(home, '.claude')
  const skills = { folder: join(folder, 'skills'), alsoReads: [] }
  return { rules: blockIn(join(folder, 'CLAUDE.md')), alsoReads: [], skills }
}
