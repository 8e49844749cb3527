import { type App, createApp } from '../../app.ts'
import { createIgnoreFilter } from '../../capture/prepare.ts'
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { importedAgents, shortId } from '../../core/session.ts'
import { formatSize, parseSince, plural } from '../../core/units.ts'
import { undoMs } from '../../delete/due.ts'
import { type DeletionPlan, type DeletionRequest, planDeletion } from '../../delete/plan.ts'
import type { DeletionResult } from '../../delete/run.ts'
import type { Deletion } from '../../store/deletion/deletions.ts'
import { deletedSessions, listDeletions } from '../../store/deletion/deletions.ts'
import type { Ledger } from '../../store/ledger.ts'
import { findSessions } from '../../store/sessions/sessions.ts'
import { shortLine } from '../../text/truncate.ts'
import { agentOption, type CommandContext, examples, projectOption, sessionNamed } from '../command.ts'
import { askForConsent, exitCodeOf } from '../prompts.ts'
import { lockOwnerText, maxWaitMs, withWaitLimit } from '../reports.ts'
import type { Terminal } from '../terminal.ts'

interface Options {
  project?: string
  agent?: string
  before?: string
  ignored?: boolean
  purge?: boolean
  yes?: boolean
  dryRun?: boolean
  json?: boolean
}

export function addDelete({ program, terminal, exit }: CommandContext): void {
  program
    .command('delete')
    .description('Delete sessions with everything derived from them')
    .argument('[sessions...]', 'Ids of sessions')
    .option('--project <project>', 'All of a project: sessions, memories, commits, articles')
    .option('--agent <agent>', 'Only sessions of this agent')
    .option('--before <time>', 'Only sessions that ended before: a date, or an age such as 90d')
    .option('--ignored', 'Sessions in folders that capture.ignore lists by now')
    .option('--purge', 'Delete at once and for good, also from older copies of the store')
    .option('--dry-run', 'Only show what would be deleted')
    .option('--yes', 'Do not ask')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect delete 0a1b2c3d                 # shows what goes, and asks',
        'recollect undo                            # within a day',
        'recollect delete --project my-app --before 2026-01-01',
        'recollect delete --ignored --dry-run',
        'recollect delete --purge                  # nothing can be restored then',
        'recollect sessions --deleted',
      ) +
        '\nThe transcripts of the agents are not touched. A deleted session is not captured\nagain, although its transcript exists or grows.\n',
    )
    .action(async (ids: string[], options: Options) => {
      const app = createApp()
      app.existingLedger().close() // an error if there is none
      // Not for reading: mapped pages would be kept in memory while rows are overwritten.
      const ledger = app.ledger()
      try {
        const request = requestOf(app, ledger, ids, options)
        const consent = request ? await deleteAsked(app, ledger, request, options) : await purge(app, ledger, options)
        exit(consent)
      } finally {
        ledger.close()
      }
    })

  /** Returns the exit code. */
  async function deleteAsked(
    app: App,
    ledger: Ledger,
    request: DeletionRequest,
    options: Options,
  ): Promise<0 | 1 | 2 | 3> {
    const plan = planDeletion(ledger, request)
    if (plan.sessions.length + plan.removed.length + plan.commits === 0) {
      if (options.json) terminal.json({ sessions: [], deleted: false })
      else terminal.say('No session matches: nothing to delete.')
      return 1
    }
    if (!options.json) printPlan(terminal, app, plan)
    const consent = await askForConsent(terminal, options)
    if (consent !== 'given') {
      if (options.json) terminal.json({ ...planJson(plan), deleted: false })
      return exitCodeOf(consent)
    }
    const { runDeletion } = await import('../../delete/run.ts')
    const done = await withWaitLimit(() =>
      runDeletion(app.context(ledger), request, { ...waiting(terminal), isPurged: options.purge === true }),
    )
    if (options.json)
      terminal.json({
        ...planJson(done.plan),
        deleted: true,
        change: done.change,
        purged: done.isPurged,
        remains: remainsOf(app, done),
      })
    else printResult(terminal, app, done, options.purge === true)
    return options.purge && !done.isPurged ? 3 : 0
  }

  async function purge(app: App, ledger: Ledger, options: Options): Promise<0 | 1 | 2 | 3> {
    const held = listDeletions(ledger, ['held', 'purging'])
    if (!options.json) for (const deletion of held) terminal.print(`  ${deletionLine(app, deletion)}`)
    if (held.length === 0 && !options.json) terminal.say('Nothing waits to be purged; older copies are removed.')
    const consent = await askForConsent(terminal, options)
    if (consent !== 'given') return exitCodeOf(consent)
    const { runPurge } = await import('../../delete/run.ts')
    const purged = await withWaitLimit(() => runPurge(app.context(ledger), waiting(terminal)))
    const isDone = purged.every(({ state }) => state === 'purged')
    if (options.json) terminal.json({ purged: purged.map(({ change }) => change), done: isDone })
    else terminal.say(isDone ? 'Purged: it cannot be restored.' : busyText)
    return isDone ? 0 : 3
  }
}

const busyText = 'The ledger is in use, or the disk is full. A sweep purges the rest within an hour.'

function waiting({ say }: Terminal) {
  return {
    maxWaitMs,
    onWait: (owner: Parameters<typeof lockOwnerText>[0]) => say(`Waiting for ${lockOwnerText(owner)} to end`),
  }
}

/** Undefined for `--purge` alone. */
function requestOf(app: App, ledger: Ledger, ids: readonly string[], options: Options): DeletionRequest | undefined {
  const { project, agent, before, ignored } = options
  const isEmpty = ids.length === 0 && !project && !agent && !before && !ignored
  if (isEmpty && options.purge) return undefined
  if (isEmpty)
    throw new UserError(
      'Say what to delete: ids of sessions, --project, --agent, --before or --ignored',
      'To list sessions: recollect sessions',
    )
  const projectKey = projectOption(app, ledger, project)
  const agentId = agentOption(app, agent, importedAgents)
  const beforeMs = beforeOption(app, before)
  const filter = createIgnoreFilter(app)
  return {
    ...(ids.length > 0 ? { uids: ids.map((id) => uidNamed(ledger, id)) } : {}),
    ...(projectKey === undefined ? {} : { project: projectKey }),
    ...(agentId === undefined ? {} : { agent: agentId }),
    ...(beforeMs === undefined ? {} : { beforeMs }),
    ...(ignored ? { isIgnored: (cwd: string) => filter(cwd) } : {}),
  }
}

/** A deleted session is named as such, instead of as unknown. */
function uidNamed(ledger: Ledger, id: string): string {
  const gone = deletedSessions(ledger).find(({ uid }) => uid.includes(id))
  if (gone && findSessions(ledger, id).length === 0)
    throw new UserError(`${gone.uid} is already deleted`, 'To list them: recollect sessions --deleted', 1)
  return sessionNamed(ledger, id).id
}

function beforeOption({ clock, zone }: App, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const at = parseSince(value, { nowMs: clock.nowMs(), zone })
  if (!Number.isNaN(at)) return at
  throw new UserError(
    `--before takes a date or an age, not "${value}"`,
    'For example: --before 2026-01-01 or --before 90d',
  )
}

const maxShown = 10

function printPlan({ print, style, columns }: Terminal, { zone }: App, plan: DeletionPlan): void {
  const { sessions, removed, changed, ofTeams, continuedBy, commits } = plan
  const list = (lines: string[]) => {
    for (const line of lines.slice(0, maxShown)) print(`    ${shortLine(line, columns - 4)}`)
    if (lines.length > maxShown) print(`    and ${lines.length - maxShown} more`)
  }
  print(style.bold(`${plural(sessions.length, 'session')}, ${plural(plan.events, 'event')}, ${formatSize(plan.bytes)}`))
  list(
    sessions.map(({ uid, agent, endedMs, title, kind }) => {
      const when = endedMs === null ? '' : zone.minute(isoTime(endedMs))
      return `${when}  ${agent}  ${shortId(uid)}  ${kind === 'subagent' ? '↳ ' : ''}${title ?? ''}`
    }),
  )
  if (removed.length > 0) {
    print(`${plural(removed.length, 'memory', 'memories')} and candidates without other evidence`)
    list(removed.map(({ id, state, text }) => `${id}  ${state === 'kept' ? '' : `${state}: `}${text}`))
  }
  const weaker = changed.filter(({ before, after }) => before.evidence.length > after.evidence.length)
  if (weaker.length > 0) print(`${plural(weaker.length, 'memory loses', 'memories lose')} a part of the evidence`)
  const valid = changed.filter(({ before, after }) => before.supersededBy !== null && after.supersededBy === null)
  if (valid.length > 0) {
    print(`Valid again, because what superseded ${valid.length === 1 ? 'it' : 'them'} goes`)
    list(valid.map(({ after }) => `${after.id}  ${after.text}`))
  }
  const entries = sessions.flatMap(({ days }) => days).length
  if (entries > 0) print(`${plural(entries, 'journal entry', 'journal entries')}`)
  if (commits > 0) print(`${plural(commits, 'commit message')}; the repository is not touched`)
  const sent = sessions.filter(({ isSent }) => isSent).length
  if (sent > 0)
    print(`${plural(sent, 'session is', 'sessions are')} deleted on the server, too, but not on other machines`)
  const received = new Set(sessions.flatMap(({ origin }) => origin ?? []))
  if (received.size > 0) print(`Received from ${[...received].join(', ')}: only this copy is deleted`)
  if (continuedBy.length > 0) {
    print('Sessions that continue one of these lose its part of the conversation')
    list(continuedBy)
  }
  if (ofTeams.length > 0) {
    print('Memories of teams stay (recollect forget <id>)')
    list(ofTeams.map(({ id, text }) => `${id}  ${text}`))
  }
  const paths = transcriptsOf(plan)
  if (paths.length === 0) return
  print('Not touched: transcripts of the agents. They are not captured again.')
  list(paths)
}

function transcriptsOf({ sessions }: DeletionPlan): string[] {
  return [...new Set(sessions.flatMap(({ source }) => source ?? []))]
}

function planJson(plan: DeletionPlan) {
  return {
    sessions: plan.sessions.map(({ uid, agent, project, title, events, bytes, source }) => ({
      id: uid,
      agent,
      project,
      title,
      events,
      bytes,
      transcript: source,
    })),
    events: plan.events,
    bytes: plan.bytes,
    memories: plan.removed.map(({ id, state, text }) => ({ id, state, text })),
    changedMemories: plan.changed.map(({ after }) => after.id),
    teamMemories: plan.ofTeams.map(({ id }) => id),
    projects: plan.projects,
    commits: plan.commits,
    continuedBy: plan.continuedBy,
  }
}

function printResult({ say, style }: Terminal, app: App, done: DeletionResult, isPurge: boolean): void {
  if (done.isPurged) say('Deleted for good: it cannot be restored.')
  else if (isPurge) say(busyText)
  else {
    const until = app.zone.minute(isoTime(app.clock.nowMs() + undoMs))
    say(`Deleted. To restore it until ${until}: recollect undo ${done.change}`)
  }
  const remains = remainsOf(app, done)
  if (remains.length === 0) return
  say(style.yellow('Text of it may still be in:'))
  for (const line of remains) say(style.yellow(`  ${line}`))
  if (!done.isPurged && hasRemovable(done)) say('To remove old copies now, without undo: recollect delete --purge')
}

function hasRemovable({ oldCopies }: DeletionResult): boolean {
  return oldCopies.backups.length > 0 || oldCopies.wikiHistory === 'ours'
}

function remainsOf({ layout }: App, { oldCopies, citedIn, isPurged }: DeletionResult): string[] {
  const { backups, wikiHistory } = oldCopies
  const lines = citedIn.map((path) => `vault/${path}.md, which you have edited`)
  if (wikiHistory === 'of the user') lines.push(`the git history of ${layout.vault}, which is yours`)
  if (isPurged) return lines
  for (const name of backups) lines.push(`backups/${name}`)
  if (wikiHistory === 'ours') lines.push('the history of the wiki (vault/.git)')
  return lines
}

export function deletionLine({ zone }: App, { change, atMs, state, summary }: Deletion): string {
  const { sessions, events, memories } = summary
  const until = state === 'held' ? `, until ${zone.minute(isoTime(atMs + undoMs))}: recollect undo ${change}` : ''
  const counts = `${plural(sessions, 'session')}, ${plural(events, 'event')}, ${plural(memories, 'memory', 'memories')}`
  return `${change}  ${zone.minute(isoTime(atMs))}  ${counts} (${state}${until})`
}
