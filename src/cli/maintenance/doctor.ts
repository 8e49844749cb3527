import { createApp } from '../../app.ts'
import { runChecks } from '../../doctor/run-checks.ts'
import { programOf } from '../../install/program.ts'
import { type CommandContext, examples } from '../command.ts'
import { wrapText } from '../terminal.ts'
import { printUnknown } from './unknown-transcripts.ts'

export function addDoctor({ program, terminal, exit }: CommandContext): void {
  program
    .command('doctor')
    .description('Check the installation and suggest repairs')
    .option('--bodies', 'Also read every conversation to find damage')
    .option('--unknown', 'List folders that look like sessions of an agent that is not read')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect doctor',
        'recollect doctor --bodies',
        'recollect doctor --unknown',
        'recollect doctor --json',
      ),
    )
    .action(async (options: { json?: boolean; bodies?: boolean; unknown?: boolean }) => {
      const app = createApp()
      if (options.unknown) {
        const { findUnknownTranscripts } = await import('../../doctor/unknown-transcripts.ts')
        const report = findUnknownTranscripts(app)
        return options.json ? terminal.json(report) : printUnknown(terminal, app, report)
      }
      const checks = runChecks(app, programOf(app), { isDeep: options.bodies ?? false })
      const ok = checks.every((check) => check.ok)
      if (options.json) terminal.json({ ok, checks })
      else {
        const { style, print, columns } = terminal
        const width = Math.max(...checks.map(({ name }) => name.length))
        const indent = ' '.repeat(width + 3)
        const wrapped = (text: string, more: string) =>
          wrapText(text, columns - indent.length - more.length, { keepsWords: true }).join(`\n${indent}${more}`)
        for (const check of checks) {
          const mark = check.isPending ? '·' : check.ok ? style.green('✓') : style.red('✗')
          print(`${mark} ${check.name.padEnd(width)} ${wrapped(check.detail, '')}`)
          if (check.fix) print(`${indent}${style.yellow('→')} ${wrapped(check.fix, '  ')}`)
        }
      }
      exit(ok ? 0 : 1)
    })
}
