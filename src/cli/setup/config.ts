import { createApp } from '../../app.ts'
import { rootsOf } from '../../capture/discover.ts'
import { settings } from '../../core/config/settings.ts'
import { type CommandContext, examples } from '../command.ts'
import { wrapText } from '../terminal.ts'

export function addConfig({ program, terminal }: CommandContext): void {
  program
    .command('config')
    .description('Show the configuration file, all settings and their values')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect config', 'recollect config --json'))
    .action((options: { json?: boolean }) => {
      const app = createApp()
      const { config, layout, machine } = app
      const sources = Object.fromEntries(app.agents.map((agent) => [agent.id, rootsOf(agent, machine, config)]))
      if (options.json) return terminal.json({ file: layout.config, home: layout.root, config, sources })
      const { style, print, columns } = terminal
      print(`${style.bold(layout.config)}\n`)
      for (const { name, why, example, expected } of settings) {
        const explained = wrapText(why, columns - 2).map((line) => `  ${line}`)
        print([`${style.bold(name)}  ${style.dim(expected)}`, ...explained, `  ${style.dim(example)}`].join('\n'))
      }
      print(`\n${style.bold('Current values')}\n${JSON.stringify(config, null, 2)}`)
      print(`\n${style.bold('Transcript folders')}`)
      for (const [agent, roots] of Object.entries(sources))
        print(`  ${agent.padEnd(12)} ${roots.join(`\n${' '.repeat(15)}`)}`)
    })
}
