// installed.json: what install has written into the files of each agent, so that it can be taken out again exactly.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { HookFile } from '../agents/agent.ts'
import { type Clock, isoTime } from '../core/clock.ts'
import { writeAtomically } from '../core/files.ts'
import type { Applied, Backup } from './apply.ts'
import type { Edit } from './plan.ts'
import type { Splice } from './splices.ts'

export interface Installed {
  version: 1
  agents: Record<string, AgentRecord>
}

export interface AgentRecord {
  /** Time of the last install. */
  at: string
  files: FileRecord[]
  /** Folders that install has made. */
  folders: string[]
  /** Copies of files as they were, newest last. */
  backups: Backup[]
}

export interface FileRecord {
  /** As it was asked for; of fallbacks only those that were set. */
  file: HookFile
  /** There was no file before us. */
  isNew: boolean
  /** From what stood there without us to what was written. */
  splices: Splice[]
  /** Places in a JSON file where a list or an object was made. */
  made: string[][]
  /** Of what was written. */
  hash: string
}

/** `isBad`: there is a record that cannot be read. The next `writeRecord` sets it aside. */
export function readRecord(folder: string): { installed: Installed; isBad: boolean } {
  const path = join(folder, fileName)
  if (!existsSync(path)) return { installed: { version: 1, agents: {} }, isBad: false }
  const installed = parseRecord(readFileSync(path, 'utf8'))
  return installed ? { installed, isBad: false } : { installed: { version: 1, agents: {} }, isBad: true }
}

export function writeRecord(folder: string, installed: Installed, clock: Clock): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, fileName)
  if (readRecord(folder).isBad) renameSync(path, `${path}.bad-${fileTime(clock)}`)
  writeAtomically(path, `${JSON.stringify(installed, null, 2)}\n`)
}

/** The record after the edits of an install were applied. What they did not touch stays recorded as it was. */
export function recordInstall(
  old: AgentRecord | undefined,
  edits: Edit[],
  applied: Applied,
  clock: Clock,
): AgentRecord {
  const files = edits.flatMap((edit) => edit.record ?? [])
  const kept = (old?.files ?? []).filter((known) => !files.some(({ file }) => file.path === known.file.path))
  return {
    at: isoTime(clock.nowMs()),
    files: [...kept, ...files],
    folders: [...new Set([...(old?.folders ?? []), ...applied.folders])],
    backups: [...(old?.backups ?? []), ...applied.backups],
  }
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A time that can be part of a file name on every system. */
export function fileTime(clock: Clock): string {
  return isoTime(clock.nowMs())
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '')
}

const fileName = 'installed.json'

function parseRecord(text: string): Installed | undefined {
  try {
    const value = JSON.parse(text) as Partial<Installed> | null
    const agents = value?.version === 1 && value.agents ? Object.values(value.agents) : undefined
    return agents?.every(isAgentRecord) ? (value as Installed) : undefined
  } catch {
    return undefined
  }
}

/** As much as is needed to never stumble over a record that was cut or edited by hand. */
function isAgentRecord(value: Partial<AgentRecord> | null): boolean {
  if (!value || typeof value.at !== 'string') return false
  if (![value.files, value.folders, value.backups].every(Array.isArray)) return false
  return value.files!.every((known: Partial<FileRecord> | null) => {
    const isWhole = typeof known?.hash === 'string' && Array.isArray(known.splices) && Array.isArray(known.made)
    return isWhole && isHookFile(known.file)
  })
}

function isHookFile(file: HookFile | undefined): boolean {
  if (typeof file?.path !== 'string') return false
  if (file.kind === 'json') return Array.isArray(file.entries)
  return typeof (file.kind === 'own' ? file.content : file.text) === 'string'
}
