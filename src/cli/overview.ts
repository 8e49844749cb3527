// `recollect` without a command: prints an overview of what is captured, sweeps, and prints what has
// changed. On a machine without transcripts it shows the overview of the demo home that the package
// contains.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../app.ts'
import { UserError } from '../core/errors.ts'
import { findPackageFile } from '../core/package-files.ts'
import { isDamaged } from '../core/sqlite.ts'
import { formatCount, formatUsd, plural } from '../core/units.ts'
import { outcomes } from '../digest/outcome.ts'
import { lastSweep } from '../store/last-sweep.ts'
import type { Ledger } from '../store/ledger.ts'
import { countMemories, type MemoryCounts } from '../store/memories/memories.ts'
import { isDamageSuspected } from '../store/recovery/ledger-files.ts'
import { type Overview, overviewOf } from '../store/sessions/overview.ts'
import { listSessions, type SessionView } from '../store/sessions/sessions.ts'
import { sweepIfWritable } from '../sweep.ts'
import { nearest } from '../text/nearest.ts'
import { type CommandContext, examples } from './command.ts'
import { lockOwnerText, memoryCountsText, printSweepReport, sayUnread } from './reports.ts'
import { offerPage } from './serve.ts'
import { sessionTable } from './sessions/sessions.ts'
import { type JudgeOptions, judgeOption, offerJudge } from './setup/choose-judge.ts'
import { type Terminal, table } from './terminal.ts'

export function addOverview({ program, terminal, exit }: CommandContext): void {
  program
    .addHelpText(
      'after',
      examples(
        'recollect',
        'recollect search "database is locked"',
        'recollect recall why do we pin the version',
        'recollect install',
      ),
    )
    .usage('[options] [command]')
    .argument('[command...]')
    .option(...judgeOption)
    .action(async ([unknown]: string[], options: JudgeOptions) => {
      if (unknown !== undefined)
        throw unknownCommand(
          unknown,
          program.commands.map((command) => command.name()),
        )
      const app = createApp()
      const result = await sweepAndRead(app, terminal, options.json ?? false)
      if (!result.isEmpty || options.json) {
        exit(printResult(result, app, terminal, { ...options, closing: closings.own }))
        await offerJudge(app, terminal, options)
        return options.json ? undefined : offerPage(app, terminal)
      }
      terminal.tell(
        `No transcript of any agent was found in ${app.machine.home}.\nThis is the overview of the demo that comes with Recollect:\n`,
      )
      exit(await demo(terminal, app))
      if (options.judge !== undefined) await offerJudge(app, terminal, options)
    })
}

/** The last lines of the overview. Sessions of the demo are not in the store, so that `show` cannot find them. */
const closings = {
  own: 'To read a session: recollect show <id>. To list all commands: recollect --help',
  demo: 'Nothing of the demo is stored. Run recollect again when an agent has worked here.\nIf the files of your agents are in other folders: recollect config get sources\nTo capture sessions as they happen: recollect install',
}

function unknownCommand(name: string, known: string[]): UserError {
  const suggestion = nearest(name, known)
  return new UserError(
    `Unknown command "${name}"`,
    suggestion ? `Did you mean "recollect ${suggestion}"?` : 'To list all commands: recollect --help',
  )
}

interface OverviewData {
  overview: Overview
  memories: MemoryCounts
  latest: SessionView[]
}

interface SweptOverview extends OverviewData {
  hasFailed: boolean
  /** No agent has left a transcript, now or before. */
  isEmpty: boolean
  /** What was printed before everything was read. */
  shown: OverviewData | undefined
}

/** A large sweep shows the overview again as soon as recent sessions are read, and then goes on. */
async function sweepAndRead(app: App, terminal: Terminal, isQuiet: boolean): Promise<SweptOverview> {
  let shown = isQuiet ? undefined : showCaptured(app, terminal)
  let progress = terminal.progress()
  const result = await sweepIfWritable(app, {
    onProgress: (done, of) => progress.show('Capturing', done, of),
    onDigest: (done, of) => progress.show('Digesting', done, of, 'sessions'),
    onLearn: (done, of) => progress.show('Learning', done, of, 'sessions'),
    onRecent() {
      if (isQuiet) return
      progress.end()
      shown = readOverview(app)
      printOverview(shown, app, terminal)
      terminal.tell('')
      withOwnLedger(app, (ledger) => sayUnread(ledger, terminal))
      terminal.tell(
        terminal.style.dim('What is read can be searched now, in another terminal: recollect search <words>'),
      )
      progress = terminal.progress()
    },
  })
  progress.end()
  if (result === undefined) terminal.say(`${app.layout.root} cannot be written, so nothing new is captured.`)
  else if (result.kind === 'busy')
    terminal.say(`Another sweep is running: ${lockOwnerText(result.owner)}. The overview may be incomplete.`)
  else if (!isQuiet && result.report.discovered > 0) printSweepReport(terminal, app.zone, result.report, false)
  const data = readOverview(app)
  return {
    ...data,
    shown,
    hasFailed: result?.kind === 'done' && result.report.failed.length + result.report.failedStages.length > 0,
    isEmpty: result?.kind === 'done' && result.report.discovered === 0 && data.overview.sessions === 0,
  }
}

/**
 * Prints what earlier sweeps have captured, because looking at every transcript takes longer. A
 * damaged ledger is left to the sweep, which replaces it.
 */
function showCaptured(app: App, terminal: Terminal): OverviewData | undefined {
  if (!existsSync(app.layout.ledger) || isDamageSuspected(app.layout)) return undefined
  try {
    const data = readOverview(app)
    if (data.overview.sessions === 0) return undefined
    printOverview(data, app, terminal)
    const swept = withOwnLedger(app, lastSweep)
    const asOf = swept ? `As of the last sweep, ${app.zone.minute(swept.at)}. ` : ''
    terminal.tell(terminal.style.dim(`\n${asOf}Looking for new sessions now.`))
    return data
  } catch (error) {
    if (isDamaged(error)) return undefined
    throw error
  }
}

function readOverview(app: App): OverviewData {
  return withOwnLedger(app, (ledger) => ({
    overview: overviewOf(ledger),
    memories: countMemories(ledger),
    latest: listSessions(ledger, { limit: 12, isNonEmpty: true }),
  }))
}

function withOwnLedger<T>(app: App, read: (ledger: Ledger) => T): T {
  const ledger = app.ledgerToRead()
  try {
    return read(ledger)
  } finally {
    ledger.close()
  }
}

function printResult(
  result: SweptOverview,
  app: App,
  terminal: Terminal,
  options: { json?: boolean; closing: string },
): 0 | 3 {
  const { overview, memories, latest, hasFailed, shown } = result
  if (options.json) terminal.json({ ...overview, memories, latest })
  else {
    if (shown) printChanges(shown, result, app, terminal)
    else printOverview(result, app, terminal)
    terminal.tell(terminal.style.dim(`\n${options.closing}`))
  }
  return hasFailed ? 3 : 0
}

/** The totals and the recent sessions that differ from what was printed; nothing if none do. */
function printChanges(shown: OverviewData, now: OverviewData, { zone }: App, terminal: Terminal): void {
  const textOf = ({ overview, memories, latest }: OverviewData) => JSON.stringify([overview, memories, latest])
  if (textOf(shown) === textOf(now)) return
  printTotals(now, terminal)
  const known = new Set(shown.latest.map((session) => JSON.stringify(session)))
  const changed = now.latest.filter((session) => !known.has(JSON.stringify(session)))
  if (changed.length > 0) terminal.print(`\n${sessionTable(changed, zone, terminal.style, terminal.columns)}`)
}

function printTotals({ overview, memories }: OverviewData, { tell, style }: Terminal): void {
  const cost = `${overview.unpriced > 0 ? 'at least ' : ''}${formatUsd(overview.costUsd)}`
  tell(
    `\n${style.bold(`${plural(overview.sessions, 'session')}, ${plural(overview.subagents, 'subagent')}, ${plural(overview.prompts, 'prompt')}, ${cost}`)}`,
  )
  const counted = outcomes.flatMap((name) => (overview.outcomes[name] ? [`${overview.outcomes[name]} ${name}`] : []))
  if (counted.length > 0) tell(`Outcomes of work: ${counted.join(', ')}`)
  if (overview.outcomes.waiting) tell('Sessions that wait for your answer: recollect sessions --outcome waiting')
  if (memories.kept + memories.inbox + memories.candidates > 0) tell(memoryCountsText(memories))
}

function printOverview(data: OverviewData, { zone }: App, terminal: Terminal): void {
  const { overview, latest } = data
  const { print, style, columns } = terminal
  const day = (iso: string | null) => (iso ? zone.day(iso) : '')
  printTotals(data, terminal)
  print('')
  print(
    table(
      [
        { title: 'agent' },
        { title: 'sessions', align: 'right' },
        { title: 'subagents', align: 'right' },
        { title: 'prompts', align: 'right' },
        { title: 'first' },
        { title: 'last' },
      ],
      overview.agents.map((row) => [
        row.agent,
        formatCount(row.sessions),
        formatCount(row.subagents),
        formatCount(row.prompts),
        day(row.first),
        day(row.last),
      ]),
      columns,
    ),
  )
  print('')
  print(
    table(
      [
        { title: 'project', isFlexible: true },
        { title: 'sessions', align: 'right' },
        { title: 'prompts', align: 'right' },
        { title: 'last' },
      ],
      overview.projects
        .slice(0, 10)
        .map((row) => [row.projectName, formatCount(row.sessions), formatCount(row.prompts), day(row.last)]),
      columns,
    ),
  )
  print(`\n${sessionTable(latest, zone, style, columns)}`)
}

/** Sweeps the demo home into a temporary store. */
async function demo(terminal: Terminal, app: App): Promise<0 | 3> {
  const home = findPackageFile(join('demo', 'home'))
  if (!home) {
    terminal.say('The demo is missing from this installation.')
    return 0
  }
  const store = mkdtempSync(join(tmpdir(), 'recollect-demo-'))
  try {
    const demoApp = createApp({
      machine: { home, env: { RECOLLECT_HOME: store }, platform: app.machine.platform },
      clock: app.clock,
    })
    const status = printResult(await sweepAndRead(demoApp, terminal, false), demoApp, terminal, {
      closing: closings.demo,
    })
    await offerPage(demoApp, terminal)
    return status
  } finally {
    rmSync(store, { recursive: true, force: true })
  }
}
