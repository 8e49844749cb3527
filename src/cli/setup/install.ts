import { existsSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { type App, createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { formatDuration, plural, type Zone } from '../../core/units.ts'
import type { HookProgram } from '../../hook/script.ts'
import { renderDiff } from '../../install/diff.ts'
import { installHooks, planInstalls, planUninstalls, type TargetPlan, uninstallHooks } from '../../install/hooks.ts'
import { publishedFiles } from '../../install/instructions/apply.ts'
import { programOf } from '../../install/program.ts'
import { requireStablePath } from '../../install/stable-path.ts'
import { type AgentStatus, hookStatus } from '../../install/status.ts'
import { agentTargets, type InstallTarget, pluginTarget } from '../../install/targets.ts'
import { verifyHook } from '../../install/verify.ts'
import { agentOption, type CommandContext, examples } from '../command.ts'
import { askForConsent, type ConsentOptions, exitCodeOf } from '../prompts.ts'
import { type Terminal, table } from '../terminal.ts'
import { type JudgeOptions, judgeOption, offerJudge } from './choose-judge.ts'

interface Options extends ConsentOptions, JudgeOptions {
  status?: boolean
}

export function addInstall({ program, terminal, exit }: CommandContext): void {
  program
    .command('install')
    .description('Add hooks to agents, to capture sessions as they happen')
    .argument('[agent]', 'An agent, plugin (for Claude Code and Codex), or all agents found here', 'all')
    .option('--dry-run', 'Show the changes without making them')
    .option('--status', 'Show what is installed and whether it works')
    .option(...judgeOption)
    .option('--yes', 'Do not ask for confirmation')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect install',
        'recollect install claude-code --dry-run',
        'recollect install plugin',
        'recollect install --yes --judge claude',
        'recollect install --status',
      ),
    )
    .action(async (name: string, options: Options) => {
      const app = createApp()
      const hookProgram = programOf(app)
      if (options.status)
        return printStatus(terminal, app, selectTargets(app, hookProgram, name, 'every'), hookProgram, options)
      requireStablePath(hookProgram.cli)
      const plans = planInstalls(app, selectTargets(app, hookProgram, name, 'present'))
      exit(
        await applyPlans(terminal, app, plans, options, async (ready) => {
          await installHooks(app, hookProgram, ready)
          return ready
            .filter(({ problem }) => !problem)
            .map(({ target }) => ({
              target,
              problem: target.agent && verifyHook(app, hookProgram, target.agent),
            }))
        }),
      )
      if (!options.dryRun) await offerJudge(app, terminal, options)
    })
}

export function addUninstall({ program, terminal, exit }: CommandContext): void {
  program
    .command('uninstall')
    .description('Remove the hooks; restores the files of agents exactly')
    .argument('[agent]', 'An agent, plugin, or all', 'all')
    .option('--dry-run', 'Show the changes without making them')
    .option('--yes', 'Do not ask for confirmation')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect uninstall codex', 'recollect uninstall --dry-run'))
    .action(async (name: string, options: ConsentOptions) => {
      const app = createApp({ ignoresConfig: true }) // a broken configuration must not prevent uninstalling
      const program = programOf(app)
      const plans = planUninstalls(app, selectTargets(app, program, name, 'every'))
      exit(
        await applyPlans(terminal, app, plans, options, async (ready) => {
          await uninstallHooks(app, ready, selectTargets(app, program, 'all', 'every'))
          return []
        }),
      )
      if (name === 'all' && !options.json) printPublished(terminal, app)
    })
}

/** Published practices are in shared files, so uninstalling does not remove them. */
function printPublished({ say }: Terminal, app: App): void {
  const files = publishedFiles(app)
  if (files.length === 0) return
  say(`Practices are still published in ${plural(files.length, 'file')}: ${files.join(', ')}`)
  say('To remove them: recollect patterns publish --remove --apply')
}

/** `all` selects the agents found here, or all known ones. A named agent is always selected. */
function selectTargets(app: App, program: HookProgram, name: string, all: 'present' | 'every'): InstallTarget[] {
  const targets = agentTargets(app, program)
  const plugin = pluginTarget(app, program, manifest.version)
  if (name === 'plugin') return [plugin]
  if (name === 'all') {
    if (all === 'every') return [...targets, plugin]
    const present = targets.filter(({ agent }) => agent && existsSync(agent.hooks.home(app.machine)))
    if (present.length > 0) return present
    const known = targets.map(({ id }) => id).join(', ')
    throw new UserError(`No agent with hooks was found in ${app.machine.home}`, `Give one: ${known}`, 1)
  }
  const id = agentOption(app, name, ['plugin', 'all'])
  const target = targets.find((one) => one.id === id)
  if (target) return [target]
  const hint = 'Sweeps capture its sessions. To sweep automatically: recollect schedule hourly'
  throw new UserError(`${name} does not support hooks`, hint)
}

interface Verification {
  target: InstallTarget
  problem: string | undefined
}

async function applyPlans(
  terminal: Terminal,
  { layout }: App,
  plans: TargetPlan[],
  options: ConsentOptions,
  apply: (ready: TargetPlan[]) => Promise<Verification[]>,
): Promise<0 | 1 | 2 | 3> {
  const { say, style } = terminal
  const ready = plans.filter(({ problem }) => !problem)
  const isNeeded = ready.some(({ edits }) => edits.length > 0)
  if (!options.json) printPlans(terminal, ready, layout.root)
  const printProblem = ({ target, problem }: TargetPlan) =>
    say(style.red(`${target.name}: ${problem!.message}\n${problem!.hint}`))
  plans.filter(({ problem }) => problem).forEach(printProblem)
  const consent = isNeeded ? await askForConsent(terminal, options) : options.dryRun ? 'not asked' : 'given'
  const verified = consent === 'given' ? await apply(ready) : []
  ready.filter(({ problem }) => problem).forEach(printProblem)
  const broken = verified.filter(({ problem }) => problem)
  for (const { target, problem } of broken) say(style.red(`${target.name}: the hook does not work: ${problem}`))
  if (options.json)
    terminal.json({ isDone: consent === 'given', agents: plans.map((plan) => planAsJson(plan, verified)) })
  else if (consent === 'given') printDone(terminal, verified, isNeeded)
  return broken.length > 0 || plans.some(({ problem }) => problem) ? 3 : exitCodeOf(consent)
}

/** Prints diffs of the agents' files; files in our own folder are only counted. */
function printPlans({ print, style }: Terminal, plans: TargetPlan[], ownFolder: string): void {
  const changing = plans.filter(({ edits }) => edits.length > 0)
  if (changing.length === 0) return print(`Nothing to change for ${plans.map(({ target }) => target.name).join(', ')}.`)
  for (const { target, edits } of changing) {
    const shown = edits.filter(({ path }) => !path.startsWith(join(resolve(ownFolder), sep)))
    print(style.bold(target.name))
    print(shown.length > 0 ? renderDiff(shown) : `  ${plural(edits.length, 'file')} in ${ownFolder}\n`)
  }
}

function planAsJson({ target, edits, problem }: TargetPlan, verified: Verification[]): object {
  const check = verified.find((one) => one.target === target)
  return {
    agent: target.id,
    files: edits.map(({ path }) => path),
    isVerified: check !== undefined && !check.problem,
    problem: problem?.message ?? check?.problem ?? null,
    afterwards: check && !check.problem ? (target.afterwards ?? null) : null,
  }
}

function printDone({ print }: Terminal, verified: Verification[], isNeeded: boolean): void {
  for (const { target, problem } of verified) {
    if (problem) continue
    print(`${target.name}: installed${target.agent ? '; a test event was received' : ''}.`)
    if (target.afterwards) print(`  ${target.afterwards}`)
  }
  if (verified.length === 0 && isNeeded) print('Done.')
}

function printStatus(
  terminal: Terminal,
  app: App,
  targets: InstallTarget[],
  program: HookProgram,
  options: { json?: boolean },
): void {
  const ledger = existsSync(app.layout.ledger) ? app.existingLedger() : undefined
  try {
    const rows = hookStatus(app, program, ledger).filter(({ agent }) => targets.some(({ id }) => id === agent))
    if (options.json) return terminal.json(rows)
    const columns = ['agent', 'found', 'hooks', 'trusted', 'last event', 'last session', 'delay']
    terminal.print(
      table(
        columns.map((title) => ({ title, ...(title === 'last session' && { rank: 1 }) })),
        rows.map((row) => cells(row, app.zone)),
        terminal.columns,
      ),
    )
  } finally {
    ledger?.close()
  }
}

function cells(row: AgentStatus, zone: Zone): string[] {
  const time = (iso: string | null) => (iso ? zone.minute(iso) : '-')
  const isUnknown = row.hooks === 'missing' || row.hooks === 'plugin' || row.isTrusted === null
  const isTrusted = isUnknown ? '-' : row.isTrusted ? 'yes' : 'no'
  const behind = row.gapMs === null ? '-' : row.gapMs < 60_000 ? 'no' : formatDuration(row.gapMs)
  return [
    row.agent,
    row.isPresent ? 'yes' : 'no',
    row.hooks,
    isTrusted,
    time(row.lastEvent),
    time(row.lastTranscript),
    behind,
  ]
}
