import { statSync } from 'node:fs'
import type { App } from '../../app.ts'
import { isoTime } from '../../core/clock.ts'
import { importedAgents, shortId } from '../../core/session.ts'
import { formatCount, formatUsd, plural, type Zone } from '../../core/units.ts'
import { activityKinds } from '../../digest/activity.ts'
import { outcomes } from '../../digest/outcome.ts'
import { deletedSessions, listDeletions } from '../../store/deletion/deletions.ts'
import type { Ledger } from '../../store/ledger.ts'
import {
  countEmptySessions,
  listSessions,
  type SessionFilter,
  type SessionView,
} from '../../store/sessions/sessions.ts'
import {
  agentOption,
  type CommandContext,
  countOption,
  examples,
  oneOf,
  projectOption,
  sinceOption,
  withLedger,
} from '../command.ts'
import { type Style, type Terminal, table } from '../terminal.ts'
import { deletionLine } from './delete.ts'

interface Options {
  json?: boolean
  agent?: string
  project?: string
  domain?: string
  since?: string
  outcome?: string
  kind?: string
  all?: boolean
  limit?: string
  deleted?: boolean
}

export function addSessions({ program, terminal, exit }: CommandContext): void {
  program
    .command('sessions')
    .description('List sessions of all agents, the latest first')
    .option('--agent <agent>', 'Only this agent')
    .option('--project <project>', 'Only this project (name, identity or folder)')
    .option('--domain <domain>', 'Only projects of this group ([projects.domains] in config.toml)')
    .option('--since <time>', 'Only since this time: 7d, 24h or a date')
    .option('--outcome <outcome>', `Only ${outcomes.join(', ')}`)
    .option('--kind <kind>', `Only ${activityKinds.join(', ')}`)
    .option('--all', 'Also list empty sessions (always with --json)')
    .option('--limit <n>', 'Maximum number of sessions (default: 30; all with --json)')
    .option('--deleted', 'List deleted sessions, which are not captured again')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect sessions',
        'recollect sessions --agent codex --since 7d',
        'recollect sessions --outcome waiting',
        'recollect sessions --project my-app --json',
        'recollect sessions --domain work --since 7d',
      ),
    )
    .action((options: Options) =>
      withLedger((app, ledger) => {
        if (options.deleted) return printDeleted(terminal, app, ledger, options.json ?? false)
        const filter: SessionFilter = {
          agent: agentOption(app, options.agent, importedAgents),
          project: projectOption(app, ledger, options.project),
          domain: domainOption(app, options.domain),
          sinceMs: sinceOption(options.since, app),
          outcome: options.outcome === undefined ? undefined : oneOf('outcome', options.outcome, outcomes),
          kind: options.kind === undefined ? undefined : oneOf('kind', options.kind, activityKinds),
          isNonEmpty: !options.json && !options.all && options.kind === undefined,
          limit: countOption(options.limit, 'limit') ?? (options.json ? undefined : 30),
        }
        const sessions = listSessions(ledger, filter)
        if (sessions.length === 0) exit(1)
        if (options.json) return terminal.json(sessions)
        if (sessions.length === 0) return terminal.say('No sessions found.')
        terminal.print(sessionTable(sessions, app.zone, terminal.style, terminal.columns))
        if (filter.isNonEmpty) sayHidden(terminal, ledger, filter)
      }),
    )
}

function sayHidden({ say }: Terminal, ledger: Ledger, filter: SessionFilter): void {
  const hidden = countEmptySessions(ledger, { ...filter, isNonEmpty: false })
  if (hidden > 0) say(`${plural(hidden, 'empty session')} not listed; to list: recollect sessions --all`)
}

function printDeleted({ print, say, json }: Terminal, app: App, ledger: Ledger, isJson: boolean): void {
  const deletions = new Map(listDeletions(ledger).map((deletion) => [deletion.change, deletion]))
  const sessions = deletedSessions(ledger).map(({ uid, change, source }) => {
    const { atMs, state } = deletions.get(change)!
    const stats = source === null ? undefined : statSync(source, { throwIfNoEntry: false })
    const transcript = source === null ? null : { path: source, exists: stats !== undefined }
    return { id: uid, change, deletedAt: isoTime(atMs), state, transcript, hasGrown: (stats?.mtimeMs ?? 0) > atMs }
  })
  if (isJson) return json(sessions)
  if (sessions.length === 0) return say('No session was deleted.')
  for (const [change, ofChange] of Map.groupBy(sessions, (session) => session.change)) {
    print(deletionLine(app, deletions.get(change)!))
    for (const { id, transcript, hasGrown } of ofChange) {
      const kept = transcript?.exists ? `; transcript ${hasGrown ? 'has grown since' : 'kept'}: ${transcript.path}` : ''
      print(`    ${id}${kept}`)
    }
  }
}

function domainOption({ config }: App, value: string | undefined): string | undefined {
  return value === undefined ? undefined : oneOf('domain', value, [...new Set(Object.values(config.projects.domains))])
}

export function sessionTable(sessions: SessionView[], zone: Zone, style: Style, width: number): string {
  return table(
    [
      { title: 'ended' },
      { title: 'agent', rank: 2 },
      { title: 'project' },
      { title: 'title', isFlexible: true },
      { title: 'kind', rank: 3 },
      { title: 'outcome' },
      { title: 'prompts', align: 'right', rank: 4 },
      { title: 'cost', align: 'right', rank: 1 },
      { title: 'id' },
    ],
    sessions.map((session) => [
      session.ended ? zone.minute(session.ended) : '',
      session.agent,
      session.projectName ?? '',
      `${session.lineage === 'subagent' ? '↳ ' : ''}${(session.title ?? '').replace(/\s+/g, ' ')}`,
      style.dim(session.kind ?? ''),
      outcomeText(session.outcome, style),
      formatCount(session.counts.prompts),
      formatUsd(session.totalCostUsd, session.isTotalCostLowerBound),
      style.dim(shortId(session.id)),
    ]),
    width,
  )
}

export function outcomeText(outcome: string | null, style: Style): string {
  if (outcome === 'success') return style.green(outcome)
  if (outcome === 'waiting' || outcome === 'open') return style.yellow(outcome)
  return outcome === 'fail' ? style.red(outcome) : style.dim(outcome ?? '')
}
