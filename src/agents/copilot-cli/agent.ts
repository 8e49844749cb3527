// GitHub Copilot CLI, 0.0.420 to 1.0.102: one event log per session; subagents write into the log
// of their session.
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { leftOutText, type RepairedPart } from '../../core/conversation/repaired-part.ts'
import { readForeignText } from '../../core/files.ts'
import { hasMark } from '../../core/redact/marks.ts'
import type { SessionDetails } from '../../core/session.ts'
import type { Agent, LogTranscript } from '../agent.ts'
import { listEntries } from '../files.ts'
import { blockIn } from '../instruction-files.ts'
import { asArray, type JsonObject, optionalString } from '../json-values.ts'
import { copilotMcp } from '../mcp-files.ts'
import { copilotCliHandoff } from './handoff.ts'
import { copilotCliHooks } from './hooks.ts'
import { openCopilot } from './reader.ts'

export const copilotCli: Agent = {
  id: 'copilot-cli',
  name: 'Copilot CLI',
  resume: 'copilot --resume=<id>',
  keepsPrompts: true,
  repairPart,
  roots: (machine) => [copilotCliHooks.home(machine)],
  *find(root) {
    const folder = join(root, 'session-state')
    for (const entry of listEntries(folder)) {
      const path = join(folder, entry.name)
      if (entry.isFile() && entry.name.endsWith('.jsonl')) yield transcript(path, basename(path, '.jsonl'))
      const log = join(path, 'events.jsonl')
      if (entry.isDirectory() && existsSync(log)) yield transcript(log, entry.name)
    }
  },
  hooks: copilotCliHooks,
  handoff: copilotCliHandoff,
  mcp: copilotMcp(copilotCliHooks.home),
  instructions: {
    readsOthers: true,
    inProject: (root) => ({
      rules: blockIn(join(root, '.github/copilot-instructions.md')),
      alsoReads: ['CLAUDE.md', 'AGENTS.md', 'GEMINI.md'].map((name) => join(root, name)),
      skills: {
        folder: join(root, '.github/skills'),
        alsoReads: ['.claude/skills', '.agents/skills'].map((name) => join(root, name)),
      },
    }),
    ofUser: (machine) => {
      const folder = copilotCliHooks.home(machine)
      const skills = { folder: join(folder, 'skills'), alsoReads: [join(machine.home, '.agents/skills')] }
      return { rules: blockIn(join(folder, 'copilot-instructions.md')), alsoReads: [], skills }
    },
  },
  userReplies: {
    denials: [String.raw`The user (?:rejected|denied|declined)[^\n]{0,300}?\b(?:user(?:'s)?|this(?: \w+)?) feedback:`],
    questionTools: ['ask_user'],
    answerPrefixes: ['User responded: ', 'User selected: ', 'User answered: '],
  },
}

/**
 * Hook inputs repeat every tool result, system messages the whole system prompt, assets are base64.
 */
const noiseMarks = ['"type":"hook.start"', '"type":"system.message"', '"type":"session.binary_asset"'].map((type) =>
  Buffer.from(type),
)

function transcript(path: string, session: string): LogTranscript {
  return {
    shape: 'log',
    path,
    also: [workspaceOf(path)],
    isNoise: (line) => noiseMarks.some((type) => line.subarray(0, 60).includes(type)),
    open(out, state) {
      if (basename(path) === 'events.jsonl') out.session(session).about(readTitle(workspaceOf(path)))
      return openCopilot(session, out, state)
    },
  }
}

function workspaceOf(path: string): string {
  return join(dirname(path), 'workspace.yaml')
}

type Title = Pick<SessionDetails, 'title' | 'titleRank'>

/**
 *  Of workspace.yaml only the name is read, because the log holds everything else. Its keys are
 * flat; a long text may be a block of indented lines.
 */
function readTitle(path: string): Title {
  try {
    return titleOf(readForeignText(path))
  } catch {
    return {} // logs of older versions have none
  }
}

/**
 * Messages have their reasoning beside their text, and with Anthropic's service once more as its blocks;
 * attachments and results have files.
 */
function repairPart(part: JsonObject): RepairedPart | undefined {
  if (optionalString(part.mimeType) && hasMark(part.data)) return { kind: 'image', part: undefined }
  const { reasoningText, reasoningOpaque, encryptedContent, reasoningBlocks, ...message } = part
  const isSigned = [reasoningOpaque, encryptedContent].some((value) => optionalString(value)) || reasoningBlocks
  if (!isSigned || !hasMark([reasoningText, reasoningOpaque, encryptedContent, reasoningBlocks])) return undefined
  const isEmpty = !optionalString(message.content) && asArray(message.toolRequests).length === 0
  return { kind: 'thinking', part: isEmpty ? { ...message, content: leftOutText.thinking } : message }
}

function titleOf(yaml: string): Title {
  const name = scalarOf(yaml, 'name')
  const summary = scalarOf(yaml, 'summary')
  return {
    title: name ?? summary,
    titleRank: name ? (scalarOf(yaml, 'user_named') === 'true' ? 4 : 3) : 0,
  }
}

function scalarOf(yaml: string, key: string): string | undefined {
  const found = new RegExp(`^${key}:[ \\t]*(.*)((?:\\r?\\n[ \\t]+.*)*)`, 'm').exec(yaml)
  if (!found) return undefined
  const [, first = '', block = ''] = found
  const lines = /^[|>][-+]?\s*$/.test(first) ? block : `${first}${block}`
  const value = lines.trim().replace(/\s*\n\s*/g, ' ')
  return value.replace(/^(['"])(.*)\1$/, '$2') || undefined
}
