import { type Clock, isoTime } from '../../core/clock.ts'
import type { Config } from '../../core/config/config.ts'
import { tryWithLock } from '../../core/lock.ts'
import { zoneOf } from '../../core/units.ts'
import { fileNameOf } from '../../memory/file-name.ts'
import type { Ledger } from '../../store/ledger.ts'
import { memoryHistory } from '../../store/memories/changes.ts'
import { filesOfMemories, sessionStartMs } from '../../store/memories/files.ts'
import { memoryById } from '../../store/memories/memories.ts'
import type { RenderContext } from './render.ts'

export interface MemoryFilesContext {
  ledger: Ledger
  clock: Clock
  config: Pick<Config, 'display'>
}

/** `counts` is the number of redactions by rule. */
export type TextRedactor = (texts: readonly string[]) => { texts: string[]; counts: Record<string, number> }

export interface EditsContext extends MemoryFilesContext {
  /** The name of this machine. */
  origin: string
  loadTools(): Promise<{ redact: TextRedactor }>
}

export interface VaultScan {
  context: EditsContext
  vault: string
  report: EditReport
  /** Memories whose file was found in another place. */
  moved: Set<string>
}

export interface FileProblem {
  /** Relative to the vault. */
  path: string
  line: number
  reason: string
}

export interface EditReport {
  edited: number
  forgotten: number
  added: number
  problems: FileProblem[]
}

/**
 * Runs `work` unless another process uses the memory files: its half-written files would look like
 * edits by a person. Whatever is due stays due for the process that holds the lock, or the next
 * run.
 */
export function tryWithFilesLock<T>({ ledger, clock }: MemoryFilesContext, work: () => T): T | undefined {
  return tryWithLock(ledger.layout, 'memory-files', { clock, command: 'memory files' }, work)
}

/** Looks up the sessions and memories that a file refers to. */
export function renderContextOf({ ledger, config }: Pick<MemoryFilesContext, 'ledger' | 'config'>): RenderContext {
  const zone = zoneOf(config.display.zone)
  const days = new Map<string, string | undefined>()
  return {
    dayOf(session) {
      if (!days.has(session)) {
        const ms = sessionStartMs(ledger, session)
        days.set(session, ms === undefined ? undefined : zone.day(isoTime(ms)))
      }
      return days.get(session)
    },
    textsOf: (id) =>
      memoryHistory(ledger, id).flatMap(({ before, after }) => [before, after].flatMap((one) => one?.text ?? [])),
    other(id) {
      const memory = memoryById(ledger, id)
      if (!memory) return undefined
      const path = filesOfMemories(ledger, [id]).get(id)?.path ?? fileNameOf(memory)
      return {
        link: path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, ''),
        text: memory.text,
        space: memory.space,
      }
    },
  }
}
