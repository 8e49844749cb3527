import { existsSync } from 'node:fs'
import manifest from '../../../package.json' with { type: 'json' }
import { type App, createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { formatDuration, plural, type Zone } from '../../core/units.ts'
import type { HookProgram } from '../../hook/script.ts'
import { installHooks, isRecorded, planInstalls, planUninstalls, uninstallHooks } from '../../install/hooks.ts'
import { publishedFiles } from '../../install/instructions/apply.ts'
import { programOf } from '../../install/program.ts'
import { requireStablePath } from '../../install/stable-path.ts'
import { type AgentStatus, hookStatus } from '../../install/status.ts'
import { agentTargets, type InstallTarget, mcpTargets, pluginTarget, statusLineTargets } from '../../install/targets.ts'
import { verifyTargets } from '../../install/verify.ts'
import { agentOption, type CommandContext, examples } from '../command.ts'
import { type Terminal, table } from '../terminal.ts'
import { applyPlans, choosePlans, type PlanOptions } from './apply-plans.ts'
import { type JudgeOptions, judgeOption, offerJudge } from './choose-judge.ts'
import { chooseServers, type McpOptions, mcpOptions } from './choose-servers.ts'

interface Options extends PlanOptions, JudgeOptions, McpOptions {
  status?: boolean
}

const diffOption = ['--diff', 'Show every changed line'] as const

export function addInstall({ program, terminal, exit }: CommandContext): void {
  program
    .command('install')
    .description('Add hooks to agents to capture sessions, and the MCP server')
    .argument('[agent]', 'An agent, plugin (for Claude Code and Codex), or all agents found here', 'all')
    .option('--dry-run', 'Show the changes without making them')
    .option(...diffOption)
    .option('--status', 'Show what is installed and whether it works')
    .option(...mcpOptions.register)
    .option(...mcpOptions.leave)
    .option(...judgeOption)
    .option('--yes', 'Do not ask for confirmation')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect install',
        'recollect install claude-code --dry-run --diff',
        'recollect install plugin',
        'recollect install --yes --mcp --judge claude',
        'recollect install --status',
      ),
    )
    .action(async (name: string, options: Options) => {
      const app = createApp()
      const hookProgram = programOf(app)
      if (options.status)
        return printStatus(terminal, app, selectTargets(app, hookProgram, name, 'every'), hookProgram, options)
      if (!options.dryRun) requireStablePath(hookProgram.cli)
      const targets = selectTargets(app, hookProgram, name, 'present')
      const { servers, offered, hint } = chooseServers(terminal, app, hookProgram, targets, options)
      const all = planInstalls(app, withOptional(targets, servers))
      const kept = servers.filter((server) => !offered.includes(server))
      const isChosen = offered.length > 0
      const plans = isChosen
        ? await choosePlans(
            terminal,
            app,
            { all, withoutOffered: planInstalls(app, withOptional(targets, kept)) },
            options,
          )
        : all
      if (!plans) {
        terminal.say('Nothing was changed.')
        return exit(1)
      }
      exit(
        await applyPlans(terminal, app, plans, { ...options, isChosen }, async (ready) => {
          await installHooks(app, hookProgram, ready)
          return verifyTargets(app, hookProgram, ready)
        }),
      )
      for (const line of hint) terminal.say(line)
      if (!options.dryRun) await offerJudge(app, terminal, options)
    })
}

export function addUninstall({ program, terminal, exit }: CommandContext): void {
  program
    .command('uninstall')
    .description('Remove what install added; restores the files of agents exactly')
    .argument('[agent]', 'An agent, plugin, or all', 'all')
    .option('--dry-run', 'Show the changes without making them')
    .option(...diffOption)
    .option('--yes', 'Do not ask for confirmation')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect uninstall codex', 'recollect uninstall --dry-run'))
    .action(async (name: string, options: PlanOptions) => {
      const app = createApp({ ignoresConfig: true }) // a broken configuration must not prevent uninstalling
      const program = programOf(app)
      const statusLines = statusLineTargets(app, program).filter((target) => isRecorded(app, target))
      const optional = [...mcpTargets(app, program), ...statusLines]
      const plans = planUninstalls(app, withOptional(selectTargets(app, program, name, 'every'), optional))
      exit(
        await applyPlans(terminal, app, plans, options, async (ready) => {
          await uninstallHooks(app, ready, [...selectTargets(app, program, 'all', 'every'), ...optional])
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

/** The MCP server and the status line of an agent come after its hooks. */
function withOptional(targets: readonly InstallTarget[], optional: readonly InstallTarget[]): InstallTarget[] {
  return targets.flatMap((target) => [
    target,
    ...optional.filter(({ serves, statusLineOf }) => target.agent && (serves ?? statusLineOf) === target.agent),
  ])
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
    const columns = ['agent', 'found', 'hooks', 'trusted', 'mcp', 'last event', 'last session', 'delay']
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
    row.mcp ?? '-',
    time(row.lastEvent),
    time(row.lastTranscript),
    behind,
  ]
}
