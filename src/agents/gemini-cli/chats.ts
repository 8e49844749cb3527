// The chat files below a Gemini home. One session may lie in several of them: the folder of a project was once named by
// hash and is copied when it gets a name, a resumed `.json` goes on as `.jsonl`, and a cleared chat starts a new file
// under the old session id. They are read together, the newest word on every message counts.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DocumentTranscript, ReaderOutput } from '../agent.ts'
import { listEntries, listSubfolders } from '../folders.ts'
import { asArray, asIsoTime, asObject, asString, optionalString, parseJson } from '../json-values.ts'
import { pendingCalls } from '../pending-calls.ts'
import { type Telling, tellMessage } from './messages.ts'
import { type Conversation, replay, type Step } from './replay.ts'

interface ChatFile {
  path: string
  /** `tmp/<project>`: named by a slug, or by the hash of the project's path. */
  project: string
  /** Session whose subagent wrote this file. */
  parent?: string
}

export function* findChats(root: string): Iterable<DocumentTranscript> {
  const groups = new Map<string, ChatFile[]>()
  for (const project of listSubfolders(join(root, 'tmp'))) {
    for (const [key, file] of chatFiles(project)) groups.set(key, [...(groups.get(key) ?? []), file])
  }
  for (const group of groups.values()) {
    const files = group.sort((a, b) => (age(a) < age(b) ? -1 : 1))
    const paths = files.map((file) => file.path)
    yield {
      shape: 'document',
      path: paths.at(-1)!,
      also: paths.slice(0, -1),
      read: (out) => readChats(files, out),
    }
  }
}

/** Main sessions carry the first eight characters of their id in the file name, subagents their whole id. */
function* chatFiles(project: string): Iterable<[key: string, file: ChatFile]> {
  const chats = join(project, 'chats')
  for (const entry of listEntries(chats)) {
    const path = join(chats, entry.name)
    const id = /^session-(?:.*-)?([^-]+)\.jsonl?$/.exec(entry.name)?.[1]
    if (entry.isFile() && id) yield [id, { path, project }]
    if (!entry.isDirectory() || entry.name === 'archive') continue // Qwen Code keeps logs of its own kind there
    for (const { name } of listEntries(path)) {
      const child = /^(.+)\.jsonl?$/.exec(name)?.[1]
      if (child) yield [`${entry.name}/${child}`, { path: join(path, name), project, parent: entry.name }]
    }
  }
}

/** Sorts copies below originals: hash folders before named ones, earlier files before later, `.json` before `.jsonl`. */
function age({ path, project }: ChatFile): string {
  return `${isHash(basename(project)) ? 0 : 1} ${basename(path)}`
}

function isHash(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name)
}

function readChats(files: ChatFile[], out: ReaderOutput): undefined {
  const sessions = new Map<string, { file: ChatFile; conversation: Conversation }[]>()
  for (const file of files) {
    const conversation = replay(file.path, out)
    if (conversation.steps.length === 0) continue
    const id = optionalString(conversation.metadata.sessionId) ?? basename(file.path).replace(/\.jsonl?$/, '')
    const native = file.parent ? `${file.parent}/${id}` : id
    sessions.set(native, [...(sessions.get(native) ?? []), { file, conversation }])
  }
  for (const [native, copies] of sessions) {
    copies.sort((a, b) => lastUpdated(a.conversation) - lastUpdated(b.conversation))
    const { file, conversation } = copies.at(-1)!
    const telling = openSession(native, file, conversation, out)
    for (const step of mergeSteps(copies.map((copy) => copy.conversation))) tellStep(step, telling)
  }
}

function lastUpdated({ metadata }: Conversation): number {
  return Date.parse(asString(metadata.lastUpdated)) || 0
}

function openSession(native: string, file: ChatFile, { metadata }: Conversation, out: ReaderOutput): Telling {
  const isSubagent = file.parent !== undefined || metadata.kind === 'subagent'
  const session = out.session(native)
  session.about({
    kind: isSubagent ? 'subagent' : undefined,
    parent: file.parent,
    cwd: projectRoot(file.project) ?? (isSubagent ? optionalString(asArray(metadata.directories)[0]) : undefined),
    title: optionalString(metadata.summary),
    titleRank: optionalString(metadata.summary) ? 3 : undefined,
    started: asIsoTime(metadata.startTime) ?? undefined,
  })
  return { native, session, out, isSubagent, calls: pendingCalls(undefined), closed: new Set(), prompts: new Set() }
}

/** The transcripts say nothing of where they were made; only the folder they lie in does. */
function projectRoot(project: string): string | undefined {
  try {
    const root = readFileSync(join(project, '.project_root'), 'utf8').trim()
    if (root) return root
  } catch {
    // folders named by hash have no such file
  }
  const name = basename(project)
  try {
    const registry = asObject(parseJson(readFileSync(join(dirname(dirname(project)), 'projects.json'), 'utf8')))
    return Object.entries(asObject(registry.projects)).find(
      ([path, slug]) => slug === name || createHash('sha256').update(path).digest('hex') === name,
    )?.[0]
  } catch {
    return undefined
  }
}

/** Each step from the newest copy that has it; where files differ, one goes on between the times of the other. */
function mergeSteps(conversations: Conversation[]): Step[] {
  if (conversations.length === 1) return conversations[0]!.steps
  const seen = new Set<string>()
  const merged: { step: Step; at: number }[] = []
  for (const { steps } of [...conversations].reverse()) {
    let at = 0
    for (const step of steps) {
      if (step.kind === 'message') at = Math.max(at, Date.parse(asString(step.message.timestamp)) || 0)
      if (!seen.has(step.id)) merged.push({ step, at })
      seen.add(step.id)
    }
  }
  return merged.sort((a, b) => a.at - b.at).map(({ step }) => step)
}

function tellStep(step: Step, telling: Telling): void {
  if (step.kind === 'message') return tellMessage(step.id, step.message, telling)
  telling.session.event({
    id: '',
    key: `${telling.native}/${step.id}`,
    kind: 'lifecycle',
    role: 'system',
    ts: null,
    text: 'Rewound',
    undoes: step.dropped.filter((id) => telling.prompts.has(id)).length,
  })
}
