import { type Clock, isoTime } from '../../core/clock.ts'
import type { Config } from '../../core/config.ts'
import { zoneOf } from '../../core/units.ts'
import { fileNameOf } from '../../memory/file-name.ts'
import type { Ledger } from '../../store/ledger.ts'
import { filesOfMemories, sessionStartMs } from '../../store/memories/files.ts'
import { memoryById } from '../../store/memories/memories.ts'
import type { RenderContext } from './render.ts'

export interface MemoryFilesContext {
  ledger: Ledger
  clock: Clock
  config: Pick<Config, 'display'>
}

/** What the ledger knows of the sessions and memories that a file names. */
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
