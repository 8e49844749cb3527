import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { Argument } from 'commander'
import { createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import type { Zone } from '../../core/units.ts'
import {
  applySteps,
  commandRunner,
  commandText,
  currentSchedule,
  inspectSchedulers,
  planSchedule,
  type Schedule,
  type SchedulePlan,
  scheduledJob,
} from '../../install/schedule/plan.ts'
import { type Cadence, cadences, type ScheduleContext, type ScheduleStep } from '../../install/schedule/scheduler.ts'
import { type CommandContext, examples } from '../command.ts'
import { askForConsent, type ConsentOptions, exitCodeOf } from '../prompts.ts'
import type { Terminal } from '../terminal.ts'

export function addSchedule({ program, terminal, exit }: CommandContext): void {
  program
    .command('schedule')
    .description('Sweep hourly, daily or weekly, for agents without hooks')
    .addArgument(
      new Argument('[cadence]', 'How often (default: show the current schedule)').choices([...cadences, 'off']),
    )
    .option('--dry-run', 'Show the steps without running them')
    .option('--yes', 'Do not ask for confirmation')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples('recollect schedule', 'recollect schedule hourly --dry-run', 'recollect schedule off'),
    )
    .action(async (cadence: Cadence | 'off' | undefined, options: ConsentOptions) => {
      const { machine, layout, clock, agents, zone } = createApp()
      const place: ScheduleContext = {
        machine,
        root: resolve(layout.root),
        userId: process.getuid?.() ?? 0,
        nowMs: clock.nowMs(),
      }
      const run = commandRunner(machine)
      const job = scheduledJob(machine, agents, { node: process.execPath, cli: realpathSync(process.argv[1]!) })
      if (!cadence) return printNow(terminal, currentSchedule(job, inspectSchedulers(place, run), place), zone, options)
      const plan = planSchedule(cadence, job, inspectSchedulers(place, run), place)
      if (!options.json) printPlan(terminal, plan)
      const consent = plan.steps.length > 0 ? await askForConsent(terminal, options) : 'not asked'
      if (consent === 'given') {
        // The crontab may have changed while the user was asked.
        if (!isSame(plan, planSchedule(cadence, job, inspectSchedulers(place, run), place)))
          throw new UserError('The schedule changed in the meantime; nothing was done', 'Run the command again.', 3)
        applySteps(plan.steps, run)
        if (!options.json) terminal.print(`Done.${plan.scheduler?.note ? ` ${plan.scheduler.note}` : ''}`)
      }
      if (options.json) terminal.json(planAsJson(plan, consent === 'given'))
      exit(exitCodeOf(consent))
    })
}

function isSame(one: SchedulePlan, other: SchedulePlan): boolean {
  return JSON.stringify(one.steps) === JSON.stringify(other.steps)
}

function printNow(
  { print, json, say }: Terminal,
  now: Schedule | undefined,
  zone: Zone,
  options: ConsentOptions,
): void {
  if (options.json) {
    const { since = null, next = null, isCurrent = null } = now ?? {}
    return json({ cadence: now?.cadence ?? 'none', scheduler: now?.scheduler.id ?? null, since, next, isCurrent })
  }
  if (!now) return print('Not scheduled. To sweep automatically: recollect schedule hourly')
  const since = now.since ? ` since ${zone.minute(now.since)}` : ''
  const next = now.next ? `, next run about ${zone.minute(now.next)}` : ''
  print(`${now.cadence} through ${now.scheduler.name}${since}${next}`)
  if (now.isCurrent === undefined) say('The scheduler cannot be queried from here, so it may not be active.')
  if (now.isCurrent === false)
    say(`It was set up by another version or path. To renew it: recollect schedule ${now.cadence}`)
}

function printPlan({ print, style }: Terminal, { cadence, scheduler, steps }: SchedulePlan): void {
  if (steps.length === 0)
    return print(scheduler ? `Already ${cadence} through ${scheduler.name}.` : 'Not scheduled; nothing to remove.')
  print(
    style.bold(scheduler ? `To run "recollect work" ${cadence} through ${scheduler.name}:` : 'To remove the schedule:'),
  )
  for (const step of steps) {
    const { title, lines } = stepText(step)
    print(`  ${title}`)
    for (const line of lines) print(style.dim(`    ${line}`))
  }
}

function stepText(step: ScheduleStep): { title: string; lines: string[] } {
  switch (step.kind) {
    case 'write':
      return {
        title: `write ${step.path}`,
        lines: step.content
          .replace(/^\ufeff/, '')
          .trimEnd()
          .split('\n'),
      }
    case 'delete':
      return { title: `delete ${step.path}`, lines: [] }
    case 'run':
      return { title: `run ${commandText(step.argv)}`, lines: step.changes ?? [] }
  }
}

/** Omits the input of commands: it contains the user's whole crontab. */
function planAsJson({ cadence, scheduler, steps }: SchedulePlan, isDone: boolean): object {
  const shown = steps.map((step) => (step.kind === 'run' ? { ...step, input: undefined } : step))
  return { cadence, scheduler: scheduler?.id ?? null, isDone, steps: shown }
}
