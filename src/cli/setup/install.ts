import { existsSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { type App, createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { formatDuration, plural, type Zone } from '../../core/units.ts'
import type { HookProgram } from '../../hook/script.ts'
import { renderDiff } from '../../install/diff.ts'
import { installHooks, planInstallOf, planUninstallOf, type TargetPlan, uninstallHooks } from '../../install/hooks.ts'
import { publishedFiles } from '../../install/instructions/published-files.ts'
import { checkLasting } from '../../install/lasting.ts'
import { type AgentStatus, hookStatus } from '../../install/status.ts'
import { agentTargets, pluginTarget, type Target } from '../../install/targets.ts'
import { verifyHook } from '../../install/verify.ts'
import { agentOption, type CommandContext, examples } from '../command.ts'
import { programOf } from '../program.ts'
import { askForConsent, askForModelConsent, type ConsentOptions, exitCodeOf } from '../prompts.ts'
import { type Terminal, table } from '../terminal.ts'

interface Options extends ConsentOptions {
  status?: boolean
}

export function addInstall({ program, terminal, exit }: CommandContext): void {
  program
    .command('install')
    .description('put the hooks into an agent, so that its sessions are captured as they happen and start with a brief')
    .argument('[agent]', 'an agent, plugin (for Claude Code and Codex), or all agents that are on this machine', 'all')
    .option('--dry-run', 'show what would be changed, change nothing')
    .option('--status', 'what is installed where, and whether it works')
    .option('--yes', 'do it without asking')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'recollect install',
        'recollect install claude-code --dry-run',
        'recollect install plugin',
        'recollect install --status',
      ),
    )
    .action(async (name: string, options: Options) => {
      const app = createApp()
      const hookProgram = programOf(app)
      if (options.status)
        return printStatus(terminal, app, chosen(app, hookProgram, name, 'every'), hookProgram, options)
      checkLasting(hookProgram.cli)
      const plans = planInstallOf(app, chosen(app, hookProgram, name, 'present'))
      exit(
        await carryOut(terminal, app, plans, options, async (ready) => {
          await installHooks(app, hookProgram, ready)
          return ready
            .filter(({ problem }) => !problem)
            .map(({ target }) => ({
              target,
              problem: target.agent && verifyHook(app, hookProgram, target.agent),
            }))
        }),
      )
      if (!options.dryRun && !options.json) await askForModelConsent(app, terminal)
    })
}

export function addUninstall({ program, terminal, exit }: CommandContext): void {
  program
    .command('uninstall')
    .description('take the hooks out of an agent again; its files are as they were before')
    .argument('[agent]', 'an agent, plugin, or all', 'all')
    .option('--dry-run', 'show what would be changed, change nothing')
    .option('--yes', 'do it without asking')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect uninstall codex', 'recollect uninstall --dry-run'))
    .action(async (name: string, options: ConsentOptions) => {
      const app = createApp({ ignoresConfig: true }) // what is broken there must not keep anybody from leaving
      const program = programOf(app)
      const plans = planUninstallOf(app, chosen(app, program, name, 'every'))
      exit(
        await carryOut(terminal, app, plans, options, async (ready) => {
          await uninstallHooks(app, ready, chosen(app, program, 'all', 'every'))
          return []
        }),
      )
      if (name === 'all' && !options.json) sayPublished(terminal, app)
    })
}

/** Practices stand in files that people share, so they go only when somebody says so. */
function sayPublished({ say }: Terminal, app: App): void {
  const files = publishedFiles(app)
  if (files.length === 0) return
  say(`Practices stand in ${plural(files.length, 'file')}: ${files.join(', ')}`)
  say('To take them out: recollect patterns publish --remove --apply')
}

/** `all` means those that have been used here, or every one there is; what is named is taken at its word. */
function chosen(app: App, program: HookProgram, name: string, all: 'present' | 'every'): Target[] {
  const targets = agentTargets(app, program)
  const plugin = pluginTarget(app, program, manifest.version)
  if (name === 'plugin') return [plugin]
  if (name === 'all') {
    if (all === 'every') return [...targets, plugin]
    const present = targets.filter(({ agent }) => agent && existsSync(agent.hooks.home(app.machine)))
    if (present.length > 0) return present
    const known = targets.map(({ id }) => id).join(', ')
    throw new UserError(`No agent with hooks was found below ${app.machine.home}`, `Name one: ${known}`, 1)
  }
  const id = agentOption(app, name, ['plugin', 'all'])
  const target = targets.find((one) => one.id === id)
  if (target) return [target]
  const hint = 'Its sessions come in with every sweep; "recollect schedule hourly" sweeps by itself.'
  throw new UserError(`${name} has no hooks`, hint)
}

interface Verified {
  target: Target
  problem: string | undefined
}

async function carryOut(
  terminal: Terminal,
  { layout }: App,
  plans: TargetPlan[],
  options: ConsentOptions,
  apply: (ready: TargetPlan[]) => Promise<Verified[]>,
): Promise<0 | 1 | 2 | 3> {
  const { say, style } = terminal
  const ready = plans.filter(({ problem }) => !problem)
  const isNeeded = ready.some(({ edits }) => edits.length > 0)
  if (!options.json) printPlans(terminal, ready, layout.root)
  const tell = ({ target, problem }: TargetPlan) =>
    say(style.red(`${target.name}: ${problem!.message}\n${problem!.hint}`))
  plans.filter(({ problem }) => problem).forEach(tell)
  const consent = isNeeded ? await askForConsent(terminal, options) : options.dryRun ? 'not asked' : 'given'
  const verified = consent === 'given' ? await apply(ready) : []
  ready.filter(({ problem }) => problem).forEach(tell)
  const broken = verified.filter(({ problem }) => problem)
  for (const { target, problem } of broken) say(style.red(`${target.name}: the hook does not work: ${problem}`))
  if (options.json)
    terminal.json({ isDone: consent === 'given', agents: plans.map((plan) => planAsJson(plan, verified)) })
  else if (consent === 'given') printDone(terminal, verified, isNeeded)
  return broken.length > 0 || plans.some(({ problem }) => problem) ? 3 : exitCodeOf(consent)
}

/** What lies in our own folder is nothing that the user has to read. */
function printPlans({ print, style }: Terminal, plans: TargetPlan[], ownFolder: string): void {
  const changing = plans.filter(({ edits }) => edits.length > 0)
  if (changing.length === 0) return print(`Nothing to change for ${plans.map(({ target }) => target.name).join(', ')}.`)
  for (const { target, edits } of changing) {
    const shown = edits.filter(({ path }) => !path.startsWith(join(resolve(ownFolder), sep)))
    print(style.bold(target.name))
    print(shown.length > 0 ? renderDiff(shown) : `  ${plural(edits.length, 'file')} in ${ownFolder}\n`)
  }
}

function planAsJson({ target, edits, problem }: TargetPlan, verified: Verified[]): object {
  const check = verified.find((one) => one.target === target)
  return {
    agent: target.id,
    files: edits.map(({ path }) => path),
    isVerified: check !== undefined && !check.problem,
    problem: problem?.message ?? check?.problem ?? null,
    afterwards: check && !check.problem ? (target.afterwards ?? null) : null,
  }
}

function printDone({ print }: Terminal, verified: Verified[], isNeeded: boolean): void {
  for (const { target, problem } of verified) {
    if (problem) continue
    print(`${target.name}: installed${target.agent ? '; a test event came through' : ''}.`)
    if (target.afterwards) print(`  ${target.afterwards}`)
  }
  if (verified.length === 0 && isNeeded) print('Done.')
}

function printStatus(
  terminal: Terminal,
  app: App,
  targets: Target[],
  program: HookProgram,
  options: { json?: boolean },
): void {
  const ledger = existsSync(app.layout.ledger) ? app.existingLedger() : undefined
  try {
    const rows = hookStatus(app, program, ledger).filter(({ agent }) => targets.some(({ id }) => id === agent))
    if (options.json) return terminal.json(rows)
    const columns = ['agent', 'here', 'hooks', 'trusted', 'last event', 'last session', 'behind']
    terminal.print(
      table(
        columns.map((title) => ({ title })),
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
  const isTrusted = row.hooks === 'missing' || row.isTrusted === null ? '-' : row.isTrusted ? 'yes' : 'no'
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
