// Qwen Code, to 0.24: one JSONL file per session with Claude's envelope around Google's content.
// Before 0.6 it wrote the files of Gemini CLI, which may still exist.
import { basename, dirname, join } from 'node:path'
import type { RepairedPart } from '../../core/conversation/repaired-part.ts'
import { hasMark } from '../../core/redact/marks.ts'
import type { Agent, LogTranscript, Transcript } from '../agent.ts'
import { listEntries, listSubfolders } from '../files.ts'
import { findChats } from '../gemini-cli/reader.ts'
import { asObject, type JsonObject } from '../json-values.ts'
import { settingsMcp } from '../mcp-files.ts'
import { leftOut, withoutSignature } from '../repaired-parts.ts'
import { qwenCodeHandoff } from './handoff.ts'
import { qwenCodeHooks } from './hooks.ts'
import { metaPathOf, openQwen } from './reader.ts'

export const qwenCode: Agent = {
  id: 'qwen-code',
  name: 'Qwen Code',
  resume: 'qwen --resume <id>',
  repairPart,
  roots(machine) {
    const home = qwenCodeHooks.home(machine)
    return [...new Set([home, machine.env.QWEN_RUNTIME_DIR || home])]
  },
  *find(root) {
    for (const project of listSubfolders(join(root, 'projects'))) yield* findInProject(project)
    for (const project of listSubfolders(join(root, 'tmp'))) yield* findInProject(project)
    yield* findChats(root)
  },
  hooks: qwenCodeHooks,
  handoff: qwenCodeHandoff,
  mcp: settingsMcp(qwenCodeHooks.home),
}

/** Parts of Google's API: a signature stands beside the text or call that it belongs to. */
function repairPart(part: JsonObject): RepairedPart | undefined {
  if (!hasMark(asObject(part.inlineData).data)) return withoutSignature(part, 'thoughtSignature')
  const { text } = leftOut('image').part!
  return { kind: 'image', part: { text } }
}

function* findInProject(project: string): Iterable<Transcript> {
  yield* findLogs(join(project, 'chats'))
  yield* findLogs(join(project, 'chats', 'archive'))
  for (const session of listSubfolders(join(project, 'subagents'))) yield* findLogs(session)
}

function* findLogs(folder: string): Iterable<LogTranscript> {
  for (const entry of listEntries(folder)) {
    if (!entry.isFile() || !/^(?!session-).*\.jsonl$/.test(entry.name)) continue
    const path = join(folder, entry.name)
    const owner = ownerOf(path)
    const beside = owner.parent ? { beside: metaPathOf(path) } : {}
    yield { shape: 'log', path, ...beside, open: (out, state) => openQwen({ path, ...owner }, out, state) }
  }
}

/** `chats/<session>.jsonl`, and `subagents/<session>/agent-<id>.jsonl` for subagents. */
function ownerOf(path: string): { session: string; parent?: string } {
  const name = basename(path, '.jsonl')
  const folder = dirname(path)
  if (basename(dirname(folder)) !== 'subagents') return { session: name }
  return { session: `${basename(folder)}/${name.replace(/^agent-/, '')}`, parent: basename(folder) }
}
