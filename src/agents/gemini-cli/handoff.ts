// Writes a conversation as a chat file of Gemini CLI, as 0.61 writes one: metadata, then messages. A
// call and its result are one object in the message of the model.
import { createHash, randomUUID } from 'node:crypto'
import { basename, join } from 'node:path'
import type { CommonTools } from '../../core/conversation/common-tools.ts'
import type { Conversation } from '../../core/conversation/conversation.ts'
import type { CallOutput } from '../../core/conversation/handed-over.ts'
import { readTextOrEmpty } from '../../core/files.ts'
import type { HandoffTarget } from '../agent.ts'
import { listSubfolders } from '../files.ts'
import { jsonLines, type NativeItem, nativeItems } from '../handoff.ts'
import { asObject, asString, parseJson } from '../json-values.ts'
import { geminiCliHooks } from './hooks.ts'

/** The shell tool that Gemini CLI and Qwen Code share. */
export const googleShell: CommonTools['shell'] = {
  tool: 'run_shell_command',
  command: 'command',
  ignores: ['description', 'timeout'],
  result: { render: withExitCode, parse: withoutHeading },
}

export const geminiCliHandoff: HandoffTarget = {
  tools: {
    shell: googleShell,
    read: { tool: 'read_file', path: 'file_path' },
    edit: {
      tool: 'replace',
      path: 'file_path',
      before: 'old_string',
      after: 'new_string',
      ignores: ['instruction'],
    },
    write: { tool: 'write_file', path: 'file_path', content: 'content' },
  },
  seenWith: '0.61.0',
  write(conversation, machine) {
    const id = randomUUID()
    const root = geminiCliHooks.home(machine)
    const { cwd, origin } = conversation
    const folder = join('tmp', projectName(root, cwd))
    const minute = origin.handedOverAt.slice(0, 16).replace(':', '-')
    return {
      id,
      root,
      files: [
        { path: join(folder, '.project_root'), content: cwd },
        {
          path: join(folder, 'chats', `session-${minute}-${id.slice(0, 8)}.jsonl`),
          content: jsonLines(recordsOf(conversation, id)),
        },
      ],
    }
  },
}

/** Folders are named after the project; `projects.json` and a file in each say which is whose. */
function projectName(root: string, cwd: string): string {
  const known = asObject(asObject(parseJson(readTextOrEmpty(join(root, 'projects.json')))).projects)
  if (asString(known[cwd])) return asString(known[cwd])
  const owners = new Map<string, string>(
    [...listSubfolders(join(root, 'tmp'))].map((folder) => [
      basename(folder),
      readTextOrEmpty(join(folder, '.project_root')).trim(),
    ]),
  )
  for (const [name, owner] of owners) if (owner === cwd) return name
  const taken = new Set([...Object.values(known).map((name) => asString(name)), ...owners.keys()])
  const plain =
    basename(cwd)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'project'
  for (let number = 0; ; number++) {
    const name = number === 0 ? plain : `${plain}-${number}`
    if (!taken.has(name)) return name
  }
}

function recordsOf(conversation: Conversation, sessionId: string): object[] {
  const { origin, cwd, title } = conversation
  const items = nativeItems(conversation, geminiCliHandoff.tools)
  const head = {
    sessionId,
    projectHash: createHash('sha256').update(cwd).digest('hex'),
    startTime: items[0]!.ts,
    lastUpdated: origin.handedOverAt,
    kind: 'main',
    ...(title ? { summary: title } : {}),
  }
  return [head, ...items.map((item) => ({ id: randomUUID(), timestamp: item.ts, ...messageOf(item) }))]
}

function messageOf(item: NativeItem): object {
  switch (item.kind) {
    case 'prompt':
    case 'record':
      return { type: 'user', content: [{ text: item.text }] }
    case 'reply':
      return { type: 'gemini', content: item.text, thoughts: [] }
    case 'call': {
      const { call: id, tool: name, input: args, text, isError, ts } = item
      const response = isError ? { error: text } : { output: text }
      const result = [{ functionResponse: { id, name, response } }]
      const status = isError ? 'error' : 'success'
      const call = { id, name, args, result, status, timestamp: ts, resultDisplay: text.slice(0, 2000) }
      return { type: 'gemini', content: '', thoughts: [], toolCalls: [call] }
    }
    default:
      return item satisfies never
  }
}

function withExitCode({ text, exit }: CallOutput): string {
  return exit ? `${text}\nExit Code: ${exit}` : text
}

/** Gemini CLI 0.61 and Qwen Code 0.24 tell folder, output, exit code and process group. */
function withoutHeading({ text }: CallOutput): string {
  const inner = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/.exec(text)?.[1] ?? text
  const told =
    /^(?:Command: [\s\S]*?\nDirectory: [^\n]*\n)?(?:Output|Stdout): ([\s\S]*?)(?:\n(?:Stderr|Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*)*$/.exec(
      inner,
    )
  return (told?.[1] ?? inner).replace(/\nExit Code: -?\d+$/, '')
}
