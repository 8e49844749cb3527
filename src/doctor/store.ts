// Checks the contents of the store: ledger, bodies, index, memories, wiki, budget.
import { existsSync, statSync } from 'node:fs'
import type { App } from '../app.ts'
import { unfinishedLine } from '../capture/reading/read-batches.ts'
import { isoTime } from '../core/clock.ts'
import { removedValues } from '../core/config/config.ts'
import { damagedLedgerHint } from '../core/errors.ts'
import { formatSize, plural } from '../core/units.ts'
import { memoryFileProblems } from '../learn/files/find-changes.ts'
import { summariseLetters, waitingLines } from '../learn/model/waiting-questions.ts'
import { storageState, storageUse, storageWarning } from '../retain/describe.ts'
import { vectorState } from '../search/vectors/state.ts'
import { deletedSessions, listDeletions } from '../store/deletion/deletions.ts'
import { isObject, readChecked } from '../store/key-values.ts'
import { failedStages, lastSweep } from '../store/last-sweep.ts'
import type { Ledger } from '../store/ledger.ts'
import { checkDatabase } from '../store/ledger.ts'
import { listDeadLetters } from '../store/memories/dead-letters.ts'
import { countMemories } from '../store/memories/memories.ts'
import { recoveryNote, suspectDamage } from '../store/recovery/ledger-files.ts'
import { checkSearchIndex } from '../store/search/postings/check.ts'
import { bodyFault, missingBody } from '../store/sessions/bodies.ts'
import { undigestedSessions } from '../store/sessions/digests.ts'
import { orphanedBodies, storedBodies } from '../store/sessions/evictions.ts'
import { failedTranscripts, listDrift, listProblems } from '../store/sessions/transcripts.ts'
import { articleRows } from '../store/wiki/articles.ts'
import { lastCompiled } from '../wiki/due.ts'
import { failedCheck, type HealthCheck, passedCheck } from './check.ts'

type StoreCheck = (app: App, ledger: Ledger, options?: { isDeep?: boolean }) => HealthCheck

export const storeChecks: Readonly<Record<string, StoreCheck>> = {
  ledger: checkLedger,
  bodies: checkBodies,
  index: checkIndex,
  digests: checkUndigested,
  'last sweep': checkSweep,
  unreadable: checkProblems,
  formats: checkDrift,
  learning: checkLearning,
  'memory files': checkMemoryFiles,
  wiki: checkWiki,
  vectors: checkVectors,
  deletions: checkDeletions,
  budget: checkBudget,
}

/** The next sweep checks a ledger that is damaged where no stage has read it yet. */
function checkLedger({ zone }: App, ledger: Ledger): HealthCheck {
  const health = checkDatabase(ledger)
  if (health !== 'ok') {
    suspectDamage(ledger.layout, health)
    return failedCheck('ledger', `damaged: ${health}`, damagedLedgerHint)
  }
  const recovery = readChecked<{ at: string; folder: string }>(
    ledger,
    recoveryNote,
    (value) => isObject(value) && typeof value.at === 'string' && typeof value.folder === 'string',
  )
  const note = recovery ? `; replaced on ${zone.minute(recovery.at)}, the damaged one is in ${recovery.folder}` : ''
  return passedCheck('ledger', `${formatSize(statSync(ledger.layout.ledger).size)}, intact${note}`)
}

function checkBodies(_: App, ledger: Ledger, { isDeep }: { isDeep?: boolean } = {}): HealthCheck {
  const all = storedBodies(ledger)
  const broken = all.flatMap((body) => {
    const fault = bodyFault(ledger.layout.bodies, body.file, body.bytes, isDeep ? 'content' : 'frames')
    return fault ? [{ ...body, fault }] : []
  })
  const orphans = orphanedBodies(ledger).length
  const note = orphans > 0 ? `; ${plural(orphans, 'file')} without a session (to adopt: recollect rebuild)` : ''
  const checked = isDeep ? 'all intact' : 'all present (to check their content: recollect doctor --bodies)'
  if (broken.length === 0) return passedCheck('bodies', `${plural(all.length, 'body', 'bodies')}, ${checked}${note}`)
  const shown = broken.slice(0, 5).map(({ uid, file, fault }) => `${uid} (${file}): ${fault}`)
  const isLost = broken.some(({ source }) => source === null || !existsSync(source))
  const rest = isLost ? '. Without a transcript the readable part stays as it is' : ''
  const fix = broken.some(({ fault }) => fault === missingBody)
    ? 'recollect rebuild, then recollect sweep --full'
    : 'recollect sweep --full'
  return failedCheck(
    'bodies',
    `${broken.length} of ${all.length} are missing or damaged${note}\n${shown.join('\n')}`,
    `${fix} (reads them again from their transcripts)${rest}`,
  )
}

function checkIndex(_: App, ledger: Ledger): HealthCheck {
  const health = checkSearchIndex(ledger)
  return health === 'ok' ? passedCheck('index', 'intact') : failedCheck('index', health, 'recollect rebuild')
}

function checkUndigested(_: App, ledger: Ledger): HealthCheck {
  const waiting = undigestedSessions(ledger).length
  return waiting === 0
    ? passedCheck('digests', 'all sessions are digested')
    : failedCheck('digests', `${plural(waiting, 'session')} not digested yet`, 'recollect sweep')
}

function checkLearning({ zone }: App, ledger: Ledger): HealthCheck {
  const letters = listDeadLetters(ledger)
  const { kept, inbox } = countMemories(ledger)
  if (letters.length === 0) {
    return passedCheck('learning', `${plural(kept, 'memory', 'memories')}${inbox > 0 ? `, ${inbox} in the inbox` : ''}`)
  }
  const waiting = summariseLetters(letters)!
  const shown = letters.slice(0, 5).map(({ session, reason, rounds, nextMs, isQuarantined }) => {
    const next = isQuarantined ? 'no more retries' : `next try ${zone.minute(isoTime(nextMs))}`
    return `${session}: ${reason} (${plural(rounds, 'round')}, ${next})`
  })
  const detail = [...waitingLines(waiting, zone), ...shown].join('\n')
  if (!waiting.needsUser) return { name: 'learning', ok: true, detail, fix: '' }
  return failedCheck(
    'learning',
    detail,
    'To see available models: recollect models. To ask again: recollect sweep --retry',
  )
}

/** A session that grows after it was deleted stays deleted; that is said somewhere. */
function checkDeletions(_: App, ledger: Ledger): HealthCheck {
  const gone = deletedSessions(ledger)
  if (gone.length === 0) return passedCheck('deletions', 'none')
  const atMs = new Map(listDeletions(ledger).map((deletion) => [deletion.change, deletion.atMs]))
  const grown = gone.filter(({ source, change }) => {
    const stats = source === null ? undefined : statSync(source, { throwIfNoEntry: false })
    return stats !== undefined && stats.mtimeMs > (atMs.get(change) ?? 0)
  })
  const note = grown.length > 0 ? `; ${plural(grown.length, 'transcript')} changed since and not captured` : ''
  return passedCheck('deletions', `${plural(gone.length, 'deleted session')}${note} (recollect sessions --deleted)`)
}

function checkMemoryFiles(_: App, ledger: Ledger): HealthCheck {
  const problems = memoryFileProblems(ledger)
  if (problems.length === 0) return passedCheck('memory files', 'all files in the vault are readable')
  const shown = problems.slice(0, 5).map(({ path, line, reason }) => `${path}:${line}: ${reason}`)
  return failedCheck('memory files', shown.join('\n'), 'Correct these lines; until then the files are not updated')
}

function checkWiki({ zone }: App, ledger: Ledger): HealthCheck {
  const last = lastCompiled(ledger)
  if (!last) return passedCheck('wiki', 'not built yet')
  const articles = articleRows(ledger).length
  return passedCheck('wiki', `${plural(articles, 'article')}, built ${zone.minute(isoTime(last.at))}`)
}

function checkVectors({ config, layout, zone }: App, ledger: Ledger): HealthCheck {
  const removed = removedValues(layout.config).find(({ setting }) => setting === 'recall.vectors')
  if (removed)
    return failedCheck(
      'vectors',
      `vectors = "${removed.value}" no longer exists: search goes by words`,
      removed.instead,
    )
  const state = vectorState(ledger, config)
  if (!state) return passedCheck('vectors', 'off: search uses words only')
  const { name, passages, madeMs, waiting } = state
  if (waiting)
    return failedCheck(
      'vectors',
      `${name}: ${waiting.reason}`,
      'Search uses words only until then. See: recollect models',
    )
  const made = madeMs === null ? 'not built yet' : `built ${zone.minute(isoTime(madeMs))}`
  return passedCheck('vectors', `${name}, ${plural(passages, 'passage')}, ${made}`)
}

function checkSweep({ clock, zone }: App, ledger: Ledger): HealthCheck {
  const last = lastSweep(ledger)
  if (!last) return failedCheck('last sweep', 'none completed', 'recollect sweep')
  const [failure] = failedStages(ledger)
  if (failure)
    return failedCheck('last sweep', `the stage "${failure.stage}" failed: ${failure.reason}`, 'recollect sweep')
  const days = Math.floor((clock.nowMs() - Date.parse(last.at)) / 86_400_000)
  return days < 7
    ? passedCheck('last sweep', zone.minute(last.at))
    : failedCheck('last sweep', `${days} days ago`, 'recollect sweep')
}

function checkProblems(_: App, ledger: Ledger): HealthCheck {
  const all = listProblems(ledger)
  const problems = all.filter(({ reason }) => reason !== unfinishedLine)
  const waiting = all.length - problems.length
  const note = waiting > 0 ? `; ${plural(waiting, 'transcript')} with an incomplete last line` : ''
  if (problems.length === 0) return passedCheck('unreadable', `nothing was skipped${note}`)
  const failed = failedTranscripts(ledger)
  const parts = problems.filter(({ path, offset }) => !failed.some((one) => one.path === path && one.offset === offset))
  const counts = [
    failed.length > 0 ? `${plural(failed.length, 'transcript')} set aside` : '',
    parts.length > 0 ? `${plural(parts.length, 'part')} skipped` : '',
  ]
  const shown = [...failed.slice(0, 10), ...parts.slice(0, 5)].map(
    ({ path, offset, reason }) => `${path}${offset < 0 ? '' : `, byte ${offset}`}: ${reason}`,
  )
  return failedCheck(
    'unreadable',
    `${counts.filter(Boolean).join(', ')}${note}\n${shown.join('\n')}`,
    failed.length > 0
      ? 'They are read when they change. To try now: recollect sweep --full'
      : 'They are read again when the file changes; the rest of each file was read',
  )
}

function checkDrift(_: App, ledger: Ledger): HealthCheck {
  const drift = listDrift(ledger)
  if (drift.length === 0) return passedCheck('formats', 'all record types are known')
  const shown = drift.slice(0, 10).map(({ agent, type, count }) => `${agent}: ${type} (${count})`)
  return {
    name: 'formats',
    ok: true,
    detail: `unknown record types, not read: ${shown.join(', ')}`,
    fix: 'The rest of these sessions was read. A later version of Recollect may know them',
  }
}

/** A wait for confirmation is a failure, and so is the hard limit; the soft limit may be reached. */
function checkBudget({ config, zone }: App, ledger: Ledger): HealthCheck {
  const state = storageState(ledger, config)
  const warning = storageWarning(state, zone)
  const detail = [storageUse(state), ...(warning?.problem ?? [])].join('\n')
  const ok = state.usedBytes <= config.retain.hardBytes && state.hold?.kind !== 'clock'
  return { name: 'budget', ok, detail, fix: warning ? [...warning.keep, ...warning.confirm].join('\n') : '' }
}
