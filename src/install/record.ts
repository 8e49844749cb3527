// installed.json records what install wrote into each agent's files, so that it can be removed
// exactly.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { HookFile } from '../agents/agent.ts'
import { type Clock, isoTime } from '../core/clock.ts'
import { writeAtomically } from '../core/files.ts'
import type { AgentRecord, AppliedEdits, FileEdit, FileRecord, InstallRecord } from './types.ts'

/** `isBad`: the record exists but cannot be parsed. The next `writeRecord` renames it. */
export function readRecord(folder: string): { installed: InstallRecord; isBad: boolean } {
  const path = join(folder, fileName)
  if (!existsSync(path)) return { installed: { version: 1, agents: {} }, isBad: false }
  const installed = parseRecord(readFileSync(path, 'utf8'))
  return installed ? { installed, isBad: false } : { installed: { version: 1, agents: {} }, isBad: true }
}

export function writeRecord(folder: string, installed: InstallRecord, clock: Clock): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, fileName)
  if (readRecord(folder).isBad) renameSync(path, `${path}.bad-${fileTimestamp(clock)}`)
  writeAtomically(path, `${JSON.stringify(installed, null, 2)}\n`)
}

/** Returns the record after an install. Files without an edit keep their earlier record. */
export function recordInstall(
  old: AgentRecord | undefined,
  edits: FileEdit[],
  applied: AppliedEdits,
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

/** The current time in a form that is a valid file name on every system. */
export function fileTimestamp(clock: Clock): string {
  return isoTime(clock.nowMs())
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '')
}

const fileName = 'installed.json'

function parseRecord(text: string): InstallRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<InstallRecord> | null
    const agents = value?.version === 1 && value.agents ? Object.values(value.agents) : undefined
    return agents?.every(isAgentRecord) ? (value as InstallRecord) : undefined
  } catch {
    return undefined
  }
}

/** Validates what the code relies on: the record may be truncated or edited by hand. */
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
