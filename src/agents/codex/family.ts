// Makes an agent of a program of the Codex family: the same rollouts, in another home.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { leftOutText, type RepairedPart } from '../../core/conversation/repaired-part.ts'
import { messageOf } from '../../core/errors.ts'
import { parseJsonlLine } from '../../core/jsonl.ts'
import type { Machine } from '../../core/paths.ts'
import { hasMark } from '../../core/redact/marks.ts'
import type { Agent, DocumentTranscript, LogReader, LogTranscript, ReaderOutput, Transcript } from '../agent.ts'
import { readJsonFile } from '../files.ts'
import { asArray, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { leftOut } from '../repaired-parts.ts'
import { openRollout } from './reader.ts'
import { type RolloutFile, rolloutFiles, rolloutLines } from './rollout-files.ts'

export interface CodexMember extends Omit<Agent, 'roots' | 'find'> {
  home(machine: Machine): string
}

export function codexAgent({ home, ...agent }: CodexMember): Agent {
  return {
    userReplies: { questionTools: ['request_user_input'] },
    repairPart,
    ...agent,
    roots: (machine) => [home(machine)],
    find,
  }
}

/** Items of the Responses API. A note to the client takes the place of an item that cannot be sent. */
function repairPart(part: JsonObject): RepairedPart | undefined {
  const item = asObject(part.payload)
  if (part.type === 'response_item' && item.type === 'reasoning' && hasMark(item.encrypted_content)) {
    const note = { type: 'agent_reasoning', text: leftOutText.thinking }
    return { kind: 'thinking', part: { ...part, type: 'event_msg', payload: note } }
  }
  switch (part.type) {
    case 'reasoning':
      return repairReasoning(part)
    case 'compaction':
    case 'compaction_summary':
      return hasMark(part.encrypted_content)
        ? {
            kind: 'thinking',
            part: { type: 'message', role: 'user', content: [leftOut('thinking', 'input_text').part!] },
          }
        : undefined
    case 'input_image':
      return hasMark(part.image_url) ? leftOut('image', 'input_text') : undefined
    default:
      return undefined
  }
}

/**
 * The ciphertext holds the reasoning itself. The summary is for people, is written by another model and may be
 * empty, so only its altered parts are left out.
 */
function repairReasoning(item: JsonObject): RepairedPart | undefined {
  const { summary, content, encrypted_content } = item
  if (!optionalString(encrypted_content) || !hasMark([summary, content, encrypted_content])) return undefined
  if (hasMark(encrypted_content)) return { kind: 'thinking', part: undefined }
  const whole = asArray(content).filter((one) => !hasMark(one))
  const { content: _, ...rest } = item
  const part = { ...rest, summary: asArray(summary).filter((one) => !hasMark(one)) }
  return { kind: 'thinking', part: whole.length > 0 ? { ...part, content: whole } : part }
}

function* find(root: string): Iterable<Transcript> {
  const files = rolloutFiles(root)
  for (const file of files) yield transcript(file, files)
  const index = join(root, 'session_index.jsonl')
  if (existsSync(index)) yield { shape: 'log', path: index, isIndex: true, open: (out) => openTitleIndex(root, out) }
}

function transcript(file: RolloutFile, files: RolloutFile[]): Transcript {
  if (file.extension === 'json') return oldestRollout(file.path)
  if (file.extension === 'jsonl') return rollout(file.path)
  // A document replaces its session, so a compressed rollout is read with the others of its thread.
  const isOther = (other: RolloutFile) => other !== file && other.thread === file.thread
  return compressedRollout(file, file.thread === '' ? [] : files.filter(isOther))
}

function rollout(path: string): LogTranscript {
  return { shape: 'log', path, isNoise, open: (out, state) => openRollout(path, out, state) }
}

/** Events that repeat a response item, and snapshots of the environment that are not used. */
const noise = [
  Buffer.from('"payload":{"type":"agent_message",'),
  Buffer.from('"payload":{"type":"agent_reasoning",'),
  Buffer.from('"type":"world_state",'),
]

function isNoise(line: Buffer): boolean {
  const start = line.subarray(0, 160)
  return noise.some((pattern) => start.includes(pattern))
}

function openTitleIndex(root: string, out: ReaderOutput): LogReader {
  let threads: Set<string> | undefined
  return {
    record(record) {
      const id = asString(record.id)
      const title = asString(record.thread_name).trim()
      threads ??= new Set(rolloutFiles(root).map((file) => file.thread))
      // A deleted thread keeps its name here; without a rollout it would become an empty session.
      if (title && threads.has(id)) out.session(id).about({ title, titleRank: 4 })
    },
    state: () => null,
  }
}

/**
 * The single JSON of the TypeScript CLI (to mid 2025): `{session, items}` with the same header and
 * items that later came one per line.
 */
function oldestRollout(path: string): DocumentTranscript {
  return {
    shape: 'document',
    path,
    read(out) {
      const rollout = asObject(readJsonFile(path, out))
      const reader = openRollout(path, out, undefined)
      for (const record of [rollout.session, ...asArray(rollout.items)]) {
        reader.record({ ...asObject(record) } as Parameters<typeof reader.record>[0], 0)
      }
      return undefined
    },
  }
}

function compressedRollout(file: RolloutFile, others: RolloutFile[]): DocumentTranscript {
  return {
    shape: 'document',
    path: file.path,
    also: others.map((other) => other.path),
    read(out) {
      const inOrder = [file, ...others].sort((a, b) => (a.path < b.path ? -1 : 1))
      for (const rollout of inOrder) readWhole(rollout, out)
      return undefined
    },
  }
}

function readWhole(file: RolloutFile, out: ReaderOutput): void {
  const reader = openRollout(file.path, out, undefined)
  try {
    for (const line of rolloutLines(file)) {
      const { records, bad, omitted } = parseJsonlLine(line)
      if (bad && line.isWhole) out.problem(line.offset + bad.at, bad.reason)
      if (omitted) out.problem(line.offset, omitted)
      for (const record of records) reader.record(record, line.offset)
    }
  } catch (error) {
    out.problem(0, messageOf(error))
  }
}
