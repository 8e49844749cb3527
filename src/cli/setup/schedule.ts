import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { Argument } from 'commander'
import { createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import type { Zone } from '../../core/units.ts'
import { applySteps, commandText } from '../../install/schedule/apply.ts'
import { jobOf } from '../../install/schedule/job.ts'
import { look, type Plan, planSchedule, type Schedule, scheduleNow } from '../../install/schedule/plan.ts'
import { runner } from '../../install/schedule/run.ts'
import type { Cadence, Place, Step } from '../../install/schedule/scheduler.ts'
import { type CommandContext, examples } from '../command.ts'
import { askForConsent, type ConsentOptions, exitCodeOf } from '../prompts.ts'
import type { Terminal } from '../terminal.ts'

export function addSchedule({ program, terminal, exit }: CommandContext): void {
  program
    .command('schedule')
    .description('let the system itself take in what the agents have written: for agents without hooks')
    .addArgument(new Argument('[cadence]', 'without it: what is set now').choices(['hourly', 'daily', 'off']))
    .option('--dry-run', 'show what would be done, do nothing')
    .option('--yes', 'do it without asking')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples('recollect schedule', 'recollect schedule hourly --dry-run', 'recollect schedule off'),
    )
    .action(async (wish: Cadence | 'off' | undefined, options: ConsentOptions) => {
      const { machine, layout, clock, agents, zone } = createApp()
      const place: Place = {
        machine,
        root: resolve(layout.root),
        userId: process.getuid?.() ?? 0,
        nowMs: clock.nowMs(),
      }
      const run = runner(machine)
      const job = jobOf(machine, agents, { node: process.execPath, cli: realpathSync(process.argv[1]!) })
      if (!wish) return printNow(terminal, scheduleNow(job, look(place, run), place), zone, options)
      const plan = planSchedule(wish, job, look(place, run), place)
      if (!options.json) printPlan(terminal, plan)
      const consent = plan.steps.length > 0 ? await askForConsent(terminal, options) : 'not asked'
      if (consent === 'given') {
        // While the question stood there, the user may have edited his crontab.
        if (!isSame(plan, planSchedule(wish, job, look(place, run), place)))
          throw new UserError('Something changed since the plan was made; nothing was done', 'Run it again.', 3)
        applySteps(plan.steps, run)
        if (!options.json) terminal.print(`Done.${plan.scheduler?.note ? ` ${plan.scheduler.note}` : ''}`)
      }
      if (options.json) terminal.json(planAsJson(plan, consent === 'given'))
      exit(exitCodeOf(consent))
    })
}

function isSame(one: Plan, other: Plan): boolean {
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
  if (!now) return print('Not scheduled. To have it run by itself: recollect schedule hourly')
  const since = now.since ? ` since ${zone.minute(now.since)}` : ''
  const next = now.next ? `, next at about ${zone.minute(now.next)}` : ''
  print(`${now.cadence} through ${now.scheduler.name}${since}${next}`)
  if (now.isCurrent === undefined) say('It does not answer from here, so whether it is active is not known.')
  if (now.isCurrent === false)
    say(`It is not set as this recollect would set it. To renew it: recollect schedule ${now.cadence}`)
}

function printPlan({ print, style }: Terminal, { wish, scheduler, steps }: Plan): void {
  if (steps.length === 0)
    return print(scheduler ? `Already ${wish} through ${scheduler.name}.` : 'Not scheduled; nothing to take out.')
  print(style.bold(scheduler ? `To run "recollect work" ${wish} through ${scheduler.name}:` : 'To take it out:'))
  for (const step of steps) {
    const { title, lines } = stepText(step)
    print(`  ${title}`)
    for (const line of lines) print(style.dim(`    ${line}`))
  }
}

function stepText(step: Step): { title: string; lines: string[] } {
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

/** The rest of a crontab is nobody's business. */
function planAsJson({ wish, scheduler, steps }: Plan, isDone: boolean): object {
  const shown = steps.map((step) => (step.kind === 'run' ? { ...step, input: undefined } : step))
  return { cadence: wish, scheduler: scheduler?.id ?? null, isDone, steps: shown }
}
