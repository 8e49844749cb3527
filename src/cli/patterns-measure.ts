import type { Command } from 'commander'
import { isoTime } from '../core/clock.ts'
import { plural } from '../core/units.ts'
import type { MeasuredPractice, Measurement } from '../patterns/measure/measure.ts'
import type { SavedBaseline } from '../patterns/measure/saved.ts'
import { projectNames } from '../store/sessions/projects.ts'
import { type Door, examples, projectOption, withLedger } from './command.ts'
import { baselineTable, maxGroups, type Names, practiceLines } from './measure-text.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  practice?: string
  project?: string
  save?: boolean
  json?: boolean
}

export function addPatternsMeasure(patterns: Command, { terminal, exit }: Door): void {
  patterns
    .command('measure')
    .description('how work goes, and what each practice changed: before and after it was published')
    .option('--practice <id>', 'only this practice')
    .option('--project <project>', 'only sessions of this project: its name, its identity or a folder in it')
    .option('--save', 'keep how work goes now, to hold later ones against it')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'recollect patterns measure',
        'recollect patterns measure --project . --save',
        'recollect patterns measure --practice p-3f2a --json',
      ),
    )
    .action((options: Options) =>
      withLedger(async (app, ledger) => {
        const [{ readCatalogue }, { measure, toRetire }, { lastBaseline, saveBaseline }, { idNamed, idOfFile }] =
          await Promise.all([
            import('../patterns/catalogue.ts'),
            import('../patterns/measure/measure.ts'),
            import('../patterns/measure/saved.ts'),
            import('../patterns/review/named.ts'),
          ])
        const project = projectOption(app, ledger, options.project)
        const { practices, problems } = await readCatalogue(app.layout)
        for (const { file, line, reason } of problems) terminal.say(`${file}:${line}: ${reason}`)
        const ids = practices.map(({ id }) => id)
        const wanted = options.practice && idNamed(idOfFile(options.practice, practices), ids)
        const chosen = practices.filter(({ id }) => wanted === undefined || id === wanted)
        const measurement = measure(ledger, chosen, project === undefined ? {} : { project })
        const saved = lastBaseline(app.layout, project ?? null)
        const { all } = measurement.baseline
        if (options.save && all)
          saveBaseline(app.layout, { at: isoTime(app.clock.nowMs()), project: project ?? null, all })
        const hurting = toRetire(measurement.practices)
        if (!all) exit(1)
        if (options.json)
          return terminal.json({ ...measurement, saved, proposedForRetirement: hurting.map(({ id }) => id) })
        if (!all) return terminal.say('No session to measure yet: it takes sessions in which an agent did some work.')
        const day = (ms: number) => app.zone.day(isoTime(ms))
        printBaseline(terminal, measurement, { saved, names: projectNames(ledger), day })
        printPractices(terminal, measurement, day)
        for (const { id, title } of hurting) {
          terminal.print(`\n"${title}" makes things worse. To retire it: recollect patterns retire ${id}`)
        }
        if (options.save) terminal.say('\nThis is kept, and told beside later ones.')
      }),
    )
}

interface Beside {
  saved: SavedBaseline | null
  names: Names
  day(ms: number): string
}

function printBaseline({ print, say, style, columns }: Terminal, { baseline }: Measurement, beside: Beside): void {
  const { sessions, firstMs, lastMs } = baseline.all!
  print(style.bold(`How work goes: ${plural(sessions, 'session')}, ${beside.day(firstMs)} to ${beside.day(lastMs)}`))
  print(`\n${baselineTable(baseline, beside, columns)}\n`)
  const left = baseline.groups.length - maxGroups
  if (left > 0) say(`${left} more with fewer sessions: --json\n`)
}

function printPractices({ print, say, style }: Terminal, measurement: Measurement, day: (ms: number) => string): void {
  const { practices, olderSessions, method } = measurement
  if (practices.length === 0) return say('There is no practice yet: recollect patterns review')
  print(style.bold('Practices'))
  for (const practice of practices) {
    const [first, ...rest] = practiceLines(practice, day)
    print(`\n${style.bold(first!)}  ${coloured(practice, style)}`)
    for (const line of rest) print(`  ${line}`)
  }
  if (practices.some(({ kind }) => kind === 'measured')) {
    say(`\nVerdict: ${method.verdict}.\nIntervals: ${method.interval}.\nTests: ${method.test}.`)
    say(
      'Other things change, too: a verdict says that it was no chance and no steady trend, not that nothing else did it.',
    )
  }
  if (olderSessions > 0)
    say(`${plural(olderSessions, 'session')} had a digest too old for before and after: recollect rebuild`)
}

function coloured(practice: MeasuredPractice, style: Terminal['style']): string {
  if (practice.kind !== 'measured') return style.dim(practice.kind)
  const { verdict } = practice
  if (verdict === 'helps') return style.green(verdict)
  return verdict === 'hurts' ? style.red(verdict) : style.dim(verdict)
}
