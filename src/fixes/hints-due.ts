// Whether hints have to be written or removed, without loading what makes them.
import { readValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { projectsWithStaleBrief } from '../store/sessions/projects.ts'

/** Whether the hints of all projects were written since the user wants them. */
export const hintsWritten = 'hints written'

/** Hints follow briefs; all of them are written or removed after the setting was changed. */
export function areHintsDue({ ledger, config }: { ledger: Ledger; config: { hooks: { fix: boolean } } }): boolean {
  const isWritten = readValue(ledger, hintsWritten) === true
  if (isWritten !== config.hooks.fix) return true
  return config.hooks.fix && projectsWithStaleBrief(ledger).length > 0
}
