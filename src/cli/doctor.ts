import { createApp } from '../app.ts'
import { examine } from '../doctor.ts'
import { type Door, examples } from './command.ts'

export function addDoctor({ program, terminal, exit }: Door): void {
  program
    .command('doctor')
    .description('check the store, the agents and what could not be read; says what to do')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect doctor', 'recollect doctor --json'))
    .action((options: { json?: boolean }) => {
      const checks = examine(createApp())
      const ok = checks.every((check) => check.ok)
      if (options.json) terminal.json({ ok, checks })
      else {
        const { style, print } = terminal
        for (const check of checks) {
          print(
            `${check.ok ? style.green('✓') : style.red('✗')} ${check.name.padEnd(12)} ${check.detail.replaceAll('\n', `\n${' '.repeat(15)}`)}`,
          )
          if (check.fix) print(`${' '.repeat(15)}${style.yellow('→')} ${check.fix}`)
        }
      }
      exit(ok ? 0 : 1)
    })
}
