import { createApp } from '../../app.ts'
import { runChecks } from '../../doctor/run-checks.ts'
import { type CommandContext, examples } from '../command.ts'
import { programOf } from '../program.ts'

export function addDoctor({ program, terminal, exit }: CommandContext): void {
  program
    .command('doctor')
    .description('Check the installation and suggest repairs')
    .option('--bodies', 'Also read every conversation to find damage')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect doctor', 'recollect doctor --bodies', 'recollect doctor --json'))
    .action((options: { json?: boolean; bodies?: boolean }) => {
      const app = createApp()
      const checks = runChecks(app, programOf(app), { isDeep: options.bodies ?? false })
      const ok = checks.every((check) => check.ok)
      if (options.json) terminal.json({ ok, checks })
      else {
        const { style, print } = terminal
        const width = Math.max(...checks.map(({ name }) => name.length))
        const indent = ' '.repeat(width + 3)
        for (const check of checks) {
          print(
            `${check.ok ? style.green('✓') : style.red('✗')} ${check.name.padEnd(width)} ${check.detail.replaceAll('\n', `\n${indent}`)}`,
          )
          if (check.fix) print(`${indent}${style.yellow('→')} ${check.fix.replaceAll('\n', `\n${indent}  `)}`)
        }
      }
      exit(ok ? 0 : 1)
    })
}
