import { type App, createApp } from '../../app.ts'
import { isoTime } from '../../core/clock.ts'
import { activeBlock, sessionCostUsd, usageSince } from '../../store/cost/status.ts'
import { type Ledger, openLedgerAtOnce } from '../../store/ledger.ts'
import { accountLimits } from '../../store/sessions/rate-limits.ts'
import { type CommandContext, examples } from '../command.ts'
import type { PlanOptions } from '../setup/apply-plans.ts'
import { parseStatusInput, type StatusFigures, type StatusInput, statusText } from './statusline-text.ts'

interface Options extends PlanOptions {
  install?: boolean
}

export function addStatusline({ program, terminal, exit }: CommandContext): void {
  program
    .command('statusline')
    .description("Print one line for Claude Code's status line")
    .option('--install', 'Set it as the status line of Claude Code, unless there is one')
    .option('--dry-run', 'With --install: show the change without making it')
    .option('--diff', 'With --install: show every changed line')
    .option('--yes', 'With --install: do not ask for confirmation')
    .addHelpText('after', examples('recollect statusline --install', 'recollect uninstall claude-code'))
    .action(async (options: Options) => {
      if (options.install) {
        const { installStatusline } = await import('../setup/install-statusline.ts')
        return exit(await installStatusline(terminal, options))
      }
      const app = anyApp()
      const nowMs = app.clock.nowMs()
      const input = parseStatusInput(await readInput(), nowMs)
      const { figures, costUsd } = figuresOf(app, input, nowMs)
      // Claude Code counts a resumed session from its resumption, and the ledger ends with the last sweep.
      const known = [input.costUsd, costUsd].filter((cost) => cost !== undefined)
      const spent = known.length > 0 ? Math.max(...known) : undefined
      terminal.print(statusText({ ...input, costUsd: spent }, figures, nowMs))
    })
}

/** An invalid configuration must not empty the status line. */
function anyApp(): App {
  try {
    return createApp()
  } catch {
    return createApp({ ignoresConfig: true })
  }
}

const maxWaitMs = 2000

/** What has arrived when the input ends, or after two seconds. */
async function readInput(): Promise<string> {
  if (process.stdin.isTTY) return ''
  let text = ''
  const timer = setTimeout(() => process.stdin.destroy(), maxWaitMs)
  try {
    for await (const piece of process.stdin.setEncoding('utf8')) text += piece
  } catch {
    // use what has arrived so far
  }
  clearTimeout(timer)
  return text
}

/** A ledger that is missing, locked or of another version is left out: the line shows what Claude Code said. */
function figuresOf(
  app: App,
  input: StatusInput,
  nowMs: number,
): { figures: StatusFigures; costUsd: number | undefined } {
  let ledger: Ledger | undefined
  try {
    ledger = openLedgerAtOnce(app.layout)
    const todayMs = app.zone.startOfDay(app.zone.day(isoTime(nowMs)))
    return {
      figures: {
        today: usageSince(ledger, todayMs),
        block: activeBlock(ledger, 'claude-code', nowMs),
        limits: accountLimits(ledger, nowMs),
      },
      costUsd: input.session === undefined ? undefined : sessionCostUsd(ledger, `claude-code:${input.session}`),
    }
  } catch {
    return { figures: { limits: [] }, costUsd: undefined }
  } finally {
    ledger?.close()
  }
}
