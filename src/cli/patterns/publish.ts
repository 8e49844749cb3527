import type { Command } from 'commander'
import { type App, createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { plural } from '../../core/units.ts'
import { renderDiff } from '../../install/diff.ts'
import type { InstructionPlan } from '../../install/instructions/plan.ts'
import type { PublishPlan } from '../../patterns/publish/desired-files.ts'
import type { Ledger } from '../../store/ledger.ts'
import { agentOption, type CommandContext, examples, oneOf, projectOption } from '../command.ts'
import type { Terminal } from '../terminal.ts'

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
    .description("Write practices to agents' instruction files and skills")
    .option('--agent <agent>', 'Only for this agent')
    .option('--project <project>', 'Only in this project (name, identity or folder)')
    .option('--practice <id>', 'Only this practice')
    .option('--remove', 'Remove published practices; restores the files exactly')
    .option('--dry-run', 'Show the diff without writing it (the default)')
    .option('--apply', 'Write the changes')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect patterns publish',
        'recollect patterns publish --apply',
        'recollect patterns publish --project . --agent codex --apply',
        'recollect patterns publish --remove --apply',
      ),
    )
    .action(async (options: Options) => {
      if (options.dryRun && options.apply)
        throw new UserError('--dry-run and --apply cannot be combined', 'Remove one of them.')
      const app = createApp()
      const ledger = app.existingLedger()
      try {
        const { practice, ...rest } = options
        const practices = practice === undefined ? undefined : [practice]
        const published = await publishPractices(app, ledger, terminal, { ...rest, practices })
        exit(published.exitCode)
        if (options.json) terminal.json(published.result)
      } finally {
        ledger.close()
      }
    })
}

export interface PublishOptions extends Pick<Options, 'agent' | 'project' | 'apply' | 'remove' | 'json'> {
  /** Ids; all where undefined. */
  practices: string[] | undefined
}

/** Writes the changes, or only shows them; as JSON they are returned. */
export async function publishPractices(
  app: App,
  ledger: Ledger,
  terminal: Terminal,
  options: PublishOptions,
): Promise<{ exitCode: 0 | 1 | 3; result: object }> {
  const { withInstructionsLock: holdingInstructions, applyInstructions } = await import(
    '../../install/instructions/apply.ts'
  )
  const publish = async () => {
    const planned = await planPublish(app, ledger, options)
    if (!options.json) printPlans(terminal, planned.plans)
    if (options.apply) applyInstructions(app, ledger, planned.plans)
    return planned
  }
  const { plans, leftOut } = await (options.apply ? holdingInstructions(app, publish) : publish())
  if (!options.json) sayRest(terminal, plans, leftOut, options)
  return { exitCode: exitCodeOf(plans, options), result: asJson(plans, leftOut, options) }
}

async function planPublish(
  app: App,
  ledger: Ledger,
  options: PublishOptions,
): Promise<{ plans: InstructionPlan[]; leftOut: PublishPlan['leftOut'] }> {
  const [
    { refreshCatalogue: settleCatalogue },
    { desiredFiles: wantedFiles },
    { planInstructions },
    { agentsWithInstructions },
  ] = await Promise.all([
    import('../../patterns/review/refresh-catalogue.ts'),
    import('../../patterns/publish/desired-files.ts'),
    import('../../install/instructions/plan.ts'),
    import('../../patterns/publish/agent-files.ts'),
  ])
  const { practices, problems } = await settleCatalogue({ ledger, clock: app.clock, zone: app.zone })
  const [problem] = problems
  const { practices: asked } = options
  // A practice that cannot be read would be removed from every written file. That is only right
  // when everything is removed anyway.
  if (problem && !(options.remove && asked === undefined && options.agent === undefined))
    throw new UserError(
      `${problem.file}:${problem.line}: ${problem.reason}`,
      'Correct that file first; nothing is published until then.',
      3,
    )
  const ids = practices.map(({ id }) => id)
  if (!options.remove) for (const id of asked ?? []) oneOf('practice', id, ids)
  const agent =
    options.agent === undefined ? undefined : oneOf('agent', agentOption(app, options.agent)!, agentsWithInstructions())
  const { files, leftOut } = wantedFiles(
    { ledger, layout: app.layout, machine: app.machine, rules: app.config.projects },
    practices,
    {
      agent,
      project: projectOption(app, ledger, options.project),
      practices: asked,
      isRemoving: options.remove ?? false,
    },
  )
  return { plans: planInstructions(files, app.machine.home), leftOut }
}

function printPlans({ print }: Terminal, plans: readonly InstructionPlan[]): void {
  for (const diff of plans.map(diffOf)) if (diff) print(diff)
}

function sayRest(
  { say, style }: Terminal,
  plans: readonly InstructionPlan[],
  leftOut: PublishPlan['leftOut'],
  { apply, remove, practices }: PublishOptions,
): void {
  for (const { practice, reason } of leftOut) say(`Not published: ${practice.title}: ${reason}`)
  for (const { file, warnings } of plans) for (const warning of warnings) say(style.yellow(`${file.path}: ${warning}`))
  for (const { problem } of plans) if (problem) say(style.red(`${problem.message}\n${problem.hint}`))
  const changing = plans.filter(({ edit, problem }) => edit && !problem)
  if (plans.length === 0)
    return say(
      remove ? 'No practice is published.' : 'No practice to publish. To approve one: recollect patterns review',
    )
  if (changing.length === 0) return say('Nothing to change: all files are up to date.')
  if (!apply) return say(`Nothing was changed. To change ${plural(changing.length, 'file')}, add --apply.`)
  if (remove && practices !== undefined) say('The next publish adds it again unless you retire it.')
  say(`${plural(changing.length, 'file')} changed. This takes effect in new sessions.`)
}

/** Having nothing to publish counts as a negative result. */
function exitCodeOf(plans: readonly InstructionPlan[], { remove }: PublishOptions): 0 | 1 | 3 {
  if (plans.some(({ problem }) => problem)) return 3
  return plans.length === 0 && !remove ? 1 : 0
}

function asJson(plans: readonly InstructionPlan[], leftOut: PublishPlan['leftOut'], { apply }: PublishOptions): object {
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
