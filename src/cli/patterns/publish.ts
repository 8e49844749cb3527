import type { Command } from 'commander'
import { type App, createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { plural } from '../../core/units.ts'
import { renderDiff } from '../../install/diff.ts'
import type { InstructionPlan } from '../../install/instructions/plan.ts'
import type { AgentWithFiles } from '../../patterns/publish/agent-files.ts'
import type { Wanted } from '../../patterns/publish/wanted.ts'
import type { Ledger } from '../../store/ledger.ts'
import { type CommandContext, examples, oneOf, projectOption } from '../command.ts'
import { type Terminal, withoutControls } from '../terminal.ts'

interface Options {
  agent?: string
  project?: string
  practice?: string
  dryRun?: boolean
  apply?: boolean
  remove?: boolean
  json?: boolean
}

export function addPatternsPublish(patterns: Command, { terminal, exit }: CommandContext): void {
  patterns
    .command('publish')
    .description(
      "put approved practices into agents' instruction files and skills; shows the diff, and writes with --apply",
    )
    .option('--agent <agent>', 'only for this agent')
    .option('--project <project>', 'only in this project: its name, its identity or a folder in it')
    .option('--practice <id>', 'only this practice')
    .option('--remove', 'take them out again; the files are as they were before')
    .option('--dry-run', 'show what would be changed, change nothing; so it is without --apply')
    .option('--apply', 'do it')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'recollect patterns publish                       the diff',
        'recollect patterns publish --apply',
        'recollect patterns publish --project . --agent codex --apply',
        'recollect patterns publish --remove --apply',
      ),
    )
    .action(async (options: Options) => {
      if (options.dryRun && options.apply)
        throw new UserError('--dry-run and --apply exclude each other', 'Leave one of them out.')
      const app = createApp()
      const ledger = app.existingLedger()
      try {
        const { holdingInstructions, applyInstructions } = await import('../../install/instructions/apply.ts')
        const publish = async () => {
          const planned = await planPublish(app, ledger, options)
          if (!options.json) printPlans(terminal, planned.plans)
          if (options.apply) applyInstructions(app, ledger, planned.plans)
          return planned
        }
        const { plans, leftOut } = await (options.apply ? holdingInstructions(app, publish) : publish())
        exit(exitCodeOf(plans, options))
        if (options.json) return terminal.json(asJson(plans, leftOut, options))
        sayRest(terminal, plans, leftOut, options)
      } finally {
        ledger.close()
      }
    })
}

async function planPublish(
  app: App,
  ledger: Ledger,
  options: Options,
): Promise<{ plans: InstructionPlan[]; leftOut: Wanted['leftOut'] }> {
  const [{ settleCatalogue }, { wantedFiles }, { planInstructions }, { agentsWithFiles }] = await Promise.all([
    import('../../patterns/review/settle.ts'),
    import('../../patterns/publish/wanted.ts'),
    import('../../install/instructions/plan.ts'),
    import('../../patterns/publish/agent-files.ts'),
  ])
  const { practices, problems } = await settleCatalogue({ ledger, clock: app.clock, zone: app.zone })
  const [problem] = problems
  const { practice } = options
  // What cannot be read would be taken out of every file that is written: only who removes all of it does not mind.
  if (problem && !(options.remove && practice === undefined && options.agent === undefined))
    throw new UserError(
      `${problem.file}:${problem.line}: ${problem.reason}`,
      'Correct that first: until then nothing is published.',
      3,
    )
  if (practice !== undefined && !options.remove)
    oneOf(
      'practice',
      practice,
      practices.map(({ id }) => id),
    )
  const agent = options.agent === undefined ? undefined : oneOf('agent', options.agent, [...agentsWithFiles])
  const { files, leftOut } = wantedFiles(
    { ledger, layout: app.layout, machine: app.machine, rules: app.config.projects },
    practices,
    {
      agent: agent as AgentWithFiles | undefined,
      project: projectOption(app, ledger, options.project),
      practice,
      isRemoving: options.remove ?? false,
    },
  )
  return { plans: planInstructions(files, app.machine.home), leftOut }
}

function printPlans({ print }: Terminal, plans: readonly InstructionPlan[]): void {
  for (const diff of plans.map(diffOf)) if (diff) print(withoutControls(diff))
}

function sayRest(
  { say, style }: Terminal,
  plans: readonly InstructionPlan[],
  leftOut: Wanted['leftOut'],
  { apply, remove, practice }: Options,
): void {
  for (const { practice, reason } of leftOut) say(withoutControls(`Not published: ${practice.title}: ${reason}`))
  for (const { file, warnings } of plans)
    for (const warning of warnings) say(style.yellow(withoutControls(`${file.path}: ${warning}`)))
  for (const { problem } of plans) if (problem) say(style.red(withoutControls(`${problem.message}\n${problem.hint}`)))
  const changing = plans.filter(({ edit, problem }) => edit && !problem)
  if (plans.length === 0)
    return say(
      remove ? 'No practice is published here.' : 'There is no practice to publish. Run: recollect patterns review',
    )
  if (changing.length === 0) return say('Nothing to change: every file is as it should be.')
  if (!apply) return say(`Nothing was changed. Add --apply to change ${plural(changing.length, 'file')}.`)
  if (remove && practice !== undefined) say('As long as it is not retired, publishing brings it back.')
  say(`${plural(changing.length, 'file')} changed. Sessions that start now are told${remove ? ' no more' : ''}.`)
}

/** Nothing to say yes to is a no. */
function exitCodeOf(plans: readonly InstructionPlan[], { remove }: Options): 0 | 1 | 3 {
  if (plans.some(({ problem }) => problem)) return 3
  return plans.length === 0 && !remove ? 1 : 0
}

function asJson(plans: readonly InstructionPlan[], leftOut: Wanted['leftOut'], { apply }: Options): object {
  return {
    isApplied: apply ?? false,
    files: plans.map((plan) => ({
      file: plan.file.path,
      project: plan.file.project,
      agents: [...new Set(plan.file.entries.flatMap(({ agents }) => agents))].sort(),
      practices: plan.file.entries.map(({ practice: { id, version, title } }) => ({ id, version, title })),
      change: changeOf(plan),
      diff: diffOf(plan),
      warnings: plan.warnings,
      problem: plan.problem?.message ?? null,
    })),
    leftOut: leftOut.map(({ practice: { id, title }, reason }) => ({ id, title, reason })),
  }
}

function changeOf({ edit }: InstructionPlan): 'none' | 'create' | 'change' | 'delete' {
  if (!edit) return 'none'
  return edit.before === undefined ? 'create' : edit.after === undefined ? 'delete' : 'change'
}

function diffOf({ edit }: InstructionPlan): string {
  return edit ? renderDiff([edit]).replaceAll('\r\n', '\n') : ''
}
