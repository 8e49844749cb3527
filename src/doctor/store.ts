// What the ledger and the bodies say of themselves.
import { statSync } from 'node:fs'
import type { App } from '../app.ts'
import { unfinishedLine } from '../capture/read.ts'
import { isoTime } from '../core/clock.ts'
import { removedValues } from '../core/config.ts'
import { formatSize, plural } from '../core/units.ts'
import { memoryFileProblems } from '../learn/files/read.ts'
import { vectorState } from '../search/vectors/state.ts'
import { fileHealth, indexHealth } from '../store/health.ts'
import { readNote } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { listDeadLetters } from '../store/memories/dead-letters.ts'
import { countMemories } from '../store/memories/memories.ts'
import { bodyState } from '../store/sessions/bodies.ts'
import { undigested } from '../store/sessions/digests.ts'
import { orphanedBodies, storedBodies } from '../store/sessions/evictions.ts'
import { listDrift, listProblems } from '../store/sessions/problems.ts'
import { sizesOf, totalOf } from '../store/sizes.ts'
import { articleRows } from '../store/wiki/articles.ts'
import { lastCompiled } from '../wiki/due.ts'
import { bad, type Check, good } from './check.ts'

export const storeChecks: Readonly<Record<string, (app: App, ledger: Ledger) => Check>> = {
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
  budget: checkBudget,
}

function checkLedger(_: App, ledger: Ledger): Check {
  const health = fileHealth(ledger)
  return health === 'ok'
    ? good('ledger', `${formatSize(statSync(ledger.layout.ledger).size)}, sound`)
    : bad('ledger', health, 'Move ledger.db away and run: recollect sweep')
}

function checkBodies(_: App, ledger: Ledger): Check {
  const all = storedBodies(ledger)
  const broken = all.filter(({ file, bytes }) => bodyState(ledger.layout.bodies, file, bytes) !== 'whole')
  const orphans = orphanedBodies(ledger).length
  const note = orphans > 0 ? `; ${plural(orphans, 'file')} belong to no session ("recollect rebuild" removes them)` : ''
  if (broken.length === 0) return good('bodies', `${plural(all.length, 'body', 'bodies')}, all there${note}`)
  return bad(
    'bodies',
    `${broken.length} of ${all.length} are missing or damaged, first: ${broken[0]!.uid}`,
    'recollect rebuild, then recollect sweep',
  )
}

function checkIndex(_: App, ledger: Ledger): Check {
  const health = indexHealth(ledger)
  return health === 'ok' ? good('index', 'sound') : bad('index', health, 'recollect rebuild')
}

function checkUndigested(_: App, ledger: Ledger): Check {
  const waiting = undigested(ledger).length
  return waiting === 0
    ? good('digests', 'every session is digested')
    : bad('digests', `${plural(waiting, 'session')} wait`, 'recollect sweep')
}

function checkLearning({ zone }: App, ledger: Ledger): Check {
  const letters = listDeadLetters(ledger)
  const { kept, inbox } = countMemories(ledger)
  if (letters.length === 0) {
    return good('learning', `${plural(kept, 'memory', 'memories')}${inbox > 0 ? `, ${inbox} in the inbox` : ''}`)
  }
  const given = letters.filter(({ isQuarantined }) => isQuarantined)
  const shown = letters.slice(0, 5).map(({ session, reason, rounds, nextMs, isQuarantined }) => {
    const next = isQuarantined ? 'waits for you' : `next try ${zone.minute(isoTime(nextMs))}`
    return `${session}: ${reason} (${plural(rounds, 'round')}, ${next})`
  })
  const detail = `no model answered for ${plural(letters.length, 'part')} of sessions\n${shown.join('\n')}`
  return given.length > 0
    ? bad('learning', detail, 'recollect models shows who can be asked; recollect sweep --retry asks again')
    : { name: 'learning', ok: true, detail, fix: '' }
}

function checkMemoryFiles(_: App, ledger: Ledger): Check {
  const problems = memoryFileProblems(ledger)
  if (problems.length === 0) return good('memory files', 'every file in the vault can be read')
  const shown = problems.slice(0, 5).map(({ path, line, reason }) => `${path}:${line}: ${reason}`)
  return bad('memory files', shown.join('\n'), 'Correct those lines; until then the files are left as they are')
}

function checkWiki({ zone }: App, ledger: Ledger): Check {
  const last = lastCompiled(ledger)
  if (!last) return good('wiki', 'not built yet')
  const articles = articleRows(ledger).length
  return good('wiki', `${plural(articles, 'article')}, built ${zone.minute(isoTime(last.at))}`)
}

function checkVectors({ config, layout, zone }: App, ledger: Ledger): Check {
  const removed = removedValues(layout.config).find(({ setting }) => setting === 'recall.vectors')
  if (removed)
    return bad('vectors', `vectors = "${removed.value}" no longer exists: search goes by words`, removed.instead)
  const state = vectorState(ledger, config)
  if (!state) return good('vectors', 'off: search goes by words')
  const { name, passages, madeMs, waiting } = state
  if (waiting)
    return bad('vectors', `${name}: ${waiting.reason}`, 'Words alone are used until then. See: recollect models')
  const made = madeMs === null ? 'not made yet' : `made ${zone.minute(isoTime(madeMs))}`
  return good('vectors', `${name}, ${plural(passages, 'passage')}, ${made}`)
}

function checkSweep({ clock, zone }: App, ledger: Ledger): Check {
  const last = readNote(ledger, 'last sweep') as { at: string } | undefined
  if (!last) return bad('last sweep', 'none was completed', 'recollect sweep')
  const days = Math.floor((clock.nowMs() - Date.parse(last.at)) / 86_400_000)
  return days < 7 ? good('last sweep', zone.minute(last.at)) : bad('last sweep', `${days} days ago`, 'recollect sweep')
}

function checkProblems(_: App, ledger: Ledger): Check {
  const all = listProblems(ledger)
  const problems = all.filter(({ reason }) => reason !== unfinishedLine)
  const waiting = all.length - problems.length
  const note = waiting > 0 ? `; ${plural(waiting, 'transcript')} end in a line that is not complete yet` : ''
  if (problems.length === 0) return good('unreadable', `nothing was left out${note}`)
  const shown = problems
    .slice(0, 5)
    .map(({ path, offset, reason }) => `${path}${offset < 0 ? '' : `, byte ${offset}`}: ${reason}`)
  return bad(
    'unreadable',
    `${plural(problems.length, 'part')}${note}\n${shown.join('\n')}`,
    'They are tried again when the file changes; the rest of each file was read',
  )
}

function checkDrift(_: App, ledger: Ledger): Check {
  const drift = listDrift(ledger)
  if (drift.length === 0) return good('formats', 'every record type is known')
  const shown = drift.slice(0, 10).map(({ agent, type, count }) => `${agent}: ${type} (${count})`)
  return {
    name: 'formats',
    ok: true,
    detail: `${drift.length} record types are new to this version: ${shown.join(', ')}`,
    fix: 'Update Recollect',
  }
}

function checkBudget({ config }: App, ledger: Ledger): Check {
  const used = totalOf(sizesOf(ledger))
  const detail = `${formatSize(used)} of ${formatSize(config.retain.softBytes)}`
  return used <= config.retain.hardBytes
    ? good('budget', detail)
    : bad('budget', detail, 'recollect sweep, or raise retain.hard in config.toml')
}
