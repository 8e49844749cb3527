// Whose sessions a person has said are to be sent. Without a word of theirs none is.
import type { Config } from '../core/config.ts'
import { matchesGlob } from '../core/globs.ts'
import type { Ledger } from '../store/ledger.ts'
import { projectKeys } from '../store/sessions/projects.ts'
import { sessionsToSplit, sessionsToWithdraw } from '../store/sync/sent-sessions.ts'

export function isChosen({ sync }: Pick<Config, 'sync'>, project: string | null): boolean {
  if (project === null || sync.private.some((glob) => matchesGlob(project, glob))) return false
  return sync.sessions.some((glob) => matchesGlob(project, glob))
}

export interface SessionWork {
  withdraw: string[]
  cut: string[]
}

/** Sessions that were sent and are not to be there any more, and those that have changed. */
export function sessionWork(ledger: Ledger, config: Pick<Config, 'sync'>, limit: number): SessionWork {
  const isAnyChosen = config.sync.sessions.length > 0
  const projects = isAnyChosen ? projectKeys(ledger).filter((project) => isChosen(config, project)) : []
  return {
    withdraw: sessionsToWithdraw(ledger, projects, limit),
    cut: isAnyChosen ? sessionsToSplit(ledger, projects, limit) : [],
  }
}

export function hasSessionWork(ledger: Ledger, config: Pick<Config, 'sync'>): boolean {
  const { withdraw, cut } = sessionWork(ledger, config, 1)
  return withdraw.length + cut.length > 0
}
