import type { Command } from 'commander'
import { isoTime } from '../../core/clock.ts'
import { formatCount, plural } from '../../core/units.ts'
import type { Baseline, BaselineTotals, SavedBaseline } from '../../patterns/measure/baseline.ts'
import { changeText, percent } from '../../patterns/measure/change-text.ts'
import type { CohortSummary, Effect, OtherChange } from '../../patterns/measure/effect.ts'
import type { MeasuredPractice, Measurement } from '../../patterns/measure/measure.ts'
import type { MeasuredChange } from '../../patterns/measure/proportions.ts'
import { projectNames } from '../../store/sessions/projects.ts'
import { type CommandContext, examples, projectOption, sinceOption, withLedger } from '../command.ts'
import { type Terminal, table, wrapText } from '../terminal.ts'

interface Options {
  practice?: string
  project?: string
  save?: boolean
  label?: string
  since?: string
  json?: boolean
}

export function addPatternsMeasure(patterns: Command, { terminal, exit }: CommandContext): void {
  patterns
    .command('measure')
    .description('Measure sessions before and after practices were published')
    .option('--practice <id>', 'Only this practice')
    .option('--project <project>', 'Only sessions of this project (name, identity or folder)')
    .option('--since <time>', 'Only sessions since this time: 30d or a date')
    .option('--save', 'Save the current figures for later comparison')
    .option('--label <text>', 'Name of the saved figures; implies --save')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect patterns measure',
        'recollect patterns measure --since 30d --label "before the new rules"',
        'recollect patterns measure --practice p-3f2a --json',
      ),
    )
    .action((options: Options) =>
      withLedger(async (app, ledger) => {
        const [
          { readCatalogue },
          { measure, harmfulPractices: toRetire },
          { lastBaseline, saveBaseline },
          { resolveId: idNamed, idOfPracticeFile: idOfFile },
        ] = await Promise.all([
          import('../../patterns/catalogue.ts'),
          import('../../patterns/measure/measure.ts'),
          import('../../patterns/measure/baseline.ts'),
          import('../../patterns/review/resolve-id.ts'),
        ])
        const project = projectOption(app, ledger, options.project)
        const { practices, problems } = await readCatalogue(app.layout)
        for (const { file, line, reason } of problems) terminal.say(`${file}:${line}: ${reason}`)
        const ids = practices.map(({ id }) => id)
        const wanted = options.practice && idNamed(idOfFile(options.practice, practices), ids)
        const chosen = practices.filter(({ id }) => wanted === undefined || id === wanted)
        const sinceMs = sinceOption(options.since, app)
        const measurement = measure(ledger, chosen, {
          ...(project === undefined ? {} : { project }),
          ...(sinceMs === undefined ? {} : { sinceMs }),
        })
        const saved = lastBaseline(app.layout, project ?? null)
        const { all } = measurement.baseline
        const isSaved = options.save || options.label !== undefined
        if (isSaved && all)
          saveBaseline(app.layout, {
            at: isoTime(app.clock.nowMs()),
            project: project ?? null,
            ...(options.label === undefined ? {} : { label: options.label }),
            ...(sinceMs === undefined ? {} : { since: isoTime(sinceMs) }),
            all,
          })
        const hurting = toRetire(measurement.practices)
        if (!all) exit(1)
        if (options.json)
          return terminal.json({ ...measurement, saved, proposedForRetirement: hurting.map(({ id }) => id) })
        if (!all) return terminal.say('No session to measure yet: none has any work by an agent.')
        const day = (ms: number) => app.zone.day(isoTime(ms))
        printBaseline(terminal, measurement, { saved, names: projectNames(ledger), day })
        printPractices(terminal, measurement, day)
        for (const { id, title } of hurting) {
          const text = `"${title}" makes things worse. To retire it: recollect patterns retire ${id}`
          terminal.print(`\n${wrapText(text, terminal.columns).join('\n')}`)
        }
        if (isSaved) terminal.say('\nSaved. Later measurements are shown beside these figures.')
      }),
    )
}

interface BaselineContext {
  saved: SavedBaseline | null
  names: ProjectNames
  day(ms: number): string
}

function printBaseline(
  { print, say, style, columns }: Terminal,
  { baseline }: Measurement,
  context: BaselineContext,
): void {
  const { sessions, firstMs, lastMs } = baseline.all!
  print(style.bold(`Baseline: ${plural(sessions, 'session')}, ${context.day(firstMs)} to ${context.day(lastMs)}`))
  print(`\n${baselineTable(baseline, context, columns)}\n`)
  const left = baseline.groups.length - maxGroups
  for (const line of wrapText(successText(baseline.all!), columns)) print(line)
  const figures =
    'Sessions: work with at least 3 tool calls, without subagents. Errors and overhead: share of calls. Retries, corrections and invalid calls: mean per session. Tokens: median; p90: 90th percentile. Success: share of all sessions.'
  say(wrapText(figures, columns).join('\n'))
  if (left > 0) say(`${left} more groups with fewer sessions. To see all: --json\n`)
}

/** `Success: 26 of 57 sessions (46 %, …). Not: 10 unknown, 9 open.` */
function successText({ sessions, outcomes, success, successInterval }: BaselineTotals): string {
  const others = Object.entries(outcomes)
    .filter(([outcome, count]) => outcome !== 'success' && count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([outcome, count]) => `${count} ${outcome}`)
  const [low, high] = successInterval!
  const range = `${percent(success!)}, 95 % interval ${percent(low)} to ${percent(high)}`
  return `Success: ${outcomes.success} of ${plural(sessions, 'session')} (${range}).${others.length === 0 ? '' : ` Others: ${others.join(', ')}.`}`
}

function printPractices(
  { print, say, style, columns }: Terminal,
  measurement: Measurement,
  day: (ms: number) => string,
): void {
  const { practices, olderSessions, method } = measurement
  if (practices.length === 0) return say('No practices yet. To create one: recollect patterns review')
  print(style.bold('Practices'))
  for (const practice of practices) {
    const [first, ...rest] = practiceLines(practice, day)
    print(`\n${wrapText(first!, columns).map(style.bold).join('\n')}`)
    if (practice.kind === 'measured') print(`  ${coloured(practice.verdict, style)}`)
    for (const line of rest.flatMap((text) => wrapText(text, columns - 2))) print(`  ${line}`)
  }
  if (practices.some(({ kind }) => kind === 'measured')) {
    const notes = [`Verdict: ${method.verdict}.`, `Intervals: ${method.interval}.`, `Tests: ${method.test}.`]
    say(`\n${notes.flatMap((note) => wrapText(note, columns)).join('\n')}`)
    say('A verdict rules out chance and a steady trend, but not other causes at the same\ntime.')
  }
  if (olderSessions > 0)
    say(`${plural(olderSessions, 'session')} with outdated digests were left out. To digest again: recollect rebuild`)
}

function coloured(verdict: Effect['verdict'], style: Terminal['style']): string {
  if (verdict === 'helps') return style.green(verdict)
  return verdict === 'hurts' ? style.red(verdict) : style.dim(verdict)
}

export type ProjectNames = ReadonlyMap<string, string>

const maxGroups = 20

function baselineTable(
  { all, groups }: Baseline,
  { saved, names, day }: { saved: SavedBaseline | null; names: ProjectNames; day(ms: number): string },
  width: number,
): string {
  const titles = [
    'sessions',
    'errors',
    'retries',
    'corrections',
    'invalid calls',
    'overhead',
    'tokens',
    'p90',
    'success',
  ]
  const ranks = [undefined, undefined, 2, 1, 5, 4, 3, 6, undefined]
  const rows = [
    ...(saved ? [[savedText(saved), day(Date.parse(saved.at)), ...cellsOf(saved.all)]] : []),
    ['all', '', ...cellsOf(all!)],
    ...groups.slice(0, maxGroups).map((group) => [projectText(group.project, names), group.agent, ...cellsOf(group)]),
  ]
  return table(
    [
      { title: 'project', isFlexible: true },
      { title: 'agent' },
      ...titles.map((title, index) => ({
        title,
        align: 'right' as const,
        ...(ranks[index] === undefined ? {} : { rank: ranks[index] }),
      })),
    ],
    rows,
    width,
  )
}

function savedText({ label }: SavedBaseline): string {
  return label ? `as saved on (${label})` : 'as saved on'
}

export function projectText(project: string | null, names: ProjectNames): string {
  return project === null ? 'no project' : (names.get(project) ?? project)
}

function cellsOf(totals: Omit<BaselineTotals, 'outcomes'>): string[] {
  const { sessions, errorRate, retries, corrections, schemaErrors, overhead, tokensMedian, tokensP90, success } = totals
  const tokens = (value: number | null) => (value === null ? '?' : formatCount(value))
  return [
    formatCount(sessions),
    percent(errorRate),
    retries.toFixed(2),
    corrections.toFixed(2),
    schemaErrors.toFixed(2),
    percent(overhead),
    tokens(tokensMedian),
    tokens(tokensP90),
    success === null ? '?' : percent(success),
  ]
}

/** The title, followed by the lines below it. */
function practiceLines(practice: MeasuredPractice, day: (ms: number) => string): string[] {
  const title = `${practice.title} (${practice.id}, ${practice.version}${practice.status === 'retired' ? ', retired' : ''})`
  switch (practice.kind) {
    case 'not published':
      return [title, 'Not published yet. To publish it: recollect patterns publish']
    case 'no pattern':
      return [title, 'Written by hand, without a pattern: there is nothing to measure.']
    case 'measured':
      return [title, ...effectLines(practice, day)]
    default:
      return practice satisfies never
  }
}

function effectLines({ change, before, after, because, others }: Effect, day: (ms: number) => string): string[] {
  const span = ({ sessions, firstMs, lastMs }: CohortSummary) =>
    `${plural(sessions, 'session')}${sessions > 0 ? `, ${day(firstMs)} to ${day(lastMs)}` : ''}`
  const clear = others.filter(({ verdict }) => verdict !== 'no clear change')
  const rest = others.filter(({ verdict }) => verdict === 'no clear change').map(({ metric }) => metric)
  return [
    ...(change ? [`It occurs in ${changeText('share', change)}`] : []),
    `before: ${span(before)}; after: ${span(after)}`,
    ...(because ? [`${because}.`] : []),
    ...clear.map((other) => `${other.verdict}: ${otherText(other)}`),
    ...(rest.length > 0 ? [`no clear change: ${rest.join(', ')}`] : []),
  ]
}

function otherText({ metric, kind, ...change }: Pick<OtherChange, 'metric' | 'kind'> & MeasuredChange): string {
  return `${metric} ${changeText(kind, change)}`
}
