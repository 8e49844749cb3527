// The data of an installation: planned edits, the result of applying them, and the record in
// installed.json.
import type { HookFile } from '../agents/agent.ts'
import type { TextEdit } from './edit/text-edits.ts'

export interface FileEdit {
  path: string
  /** Undefined if the file does not exist. */
  before: string | undefined
  /** Undefined if the file is deleted. */
  after: string | undefined
  /** For installed.json; missing in the edits of an uninstall. */
  record?: FileRecord
}

export interface AppliedEdits {
  /** Created folders, outermost first. */
  folders: string[]
  backups: FileBackup[]
}

interface FileBackup {
  path: string
  copy: string
}

export interface InstallRecord {
  version: 1
  agents: Record<string, AgentRecord>
}

export interface AgentRecord {
  /** Time of the last install. */
  at: string
  files: FileRecord[]
  /** Folders that install created. */
  folders: string[]
  /** Backups of the original files, newest last. */
  backups: FileBackup[]
}

export interface FileRecord {
  /** The requested content; only those fallbacks that were actually set. */
  file: HookFile
  /** The file was created by install. */
  isNew: boolean
  /** Edits from the original content to what was written. */
  splices: TextEdit[]
  /** Paths in a JSON file at which a list or an object was created. */
  made: string[][]
  /** Hash of the written content. */
  hash: string
}
