import { Argument } from 'commander'
import { type CommandContext, examples } from '../command.ts'
import { completionScript, type Shell, shells } from '../completion/scripts.ts'
import { commandNodes } from '../completion/tree.ts'

/** All commands have to be loaded: the script contains them. */
export function addCompletion({ program, terminal }: CommandContext): void {
  program
    .command('completion')
    .description('Print a script that completes commands in your shell')
    .addArgument(new Argument('<shell>', 'Your shell').choices(shells))
    .option('--json', 'Print the commands, options and values as JSON')
    .addHelpText(
      'after',
      examples(
        'eval "$(recollect completion bash)"        (in ~/.bashrc)',
        'source <(recollect completion zsh)         (in ~/.zshrc, after compinit)',
        'recollect completion fish | source         (in config.fish)',
      ),
    )
    .action((shell: Shell, options: { json?: boolean }) => {
      const nodes = commandNodes(program)
      if (options.json) return terminal.json(nodes)
      terminal.print(completionScript(shell, nodes))
    })
}
