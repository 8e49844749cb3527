// Keeps what rules proposed in a home, as a model would have, for tests about what is told of memories.
import { layoutOf } from '../src/core/paths.ts'
import { openLedger } from '../src/store/ledger.ts'
import { changeMemories } from '../src/store/memories/changes.ts'
import { listCandidates } from '../src/store/memories/memories.ts'
import type { Place } from './program.ts'

/** The next sweep writes journal, wiki and files with them. */
export function keepCandidates({ store }: Pick<Place, 'store'>): void {
  const ledger = openLedger(layoutOf(store))
  try {
    const kept = listCandidates(ledger).map((one) => ({ ...one, state: 'kept' as const, because: 'model' as const }))
    ledger.transaction(() => {
      for (const memory of kept)
        changeMemories(ledger, { at: memory.learnedAt, kind: 'learned', about: memory.text.slice(0, 80) }, [memory])
      ledger.sql('UPDATE sessions SET journaled_through = 0 WHERE body IS NOT NULL').run()
      ledger.sql("DELETE FROM notes WHERE name = 'wiki compiled'").run()
    })
  } finally {
    ledger.close()
  }
}
