import { UserError } from '../../core/errors.ts'
import { judgeExchange } from '../../learn/heuristic/judge.ts'
import type { PromptInContext } from '../../learn/heuristic/score-sentences.ts'
import { batchLines } from '../batch.ts'
import { type CommandContext, examples } from '../command.ts'

interface Options {
  json?: boolean
  batch?: string
  provider: string
}

export function addJudge({ program, terminal, exit }: CommandContext): void {
  program
    .command('judge')
    .description('Test what the rules would learn from a text; stores nothing')
    .argument('[text...]', 'Text of a prompt')
    .option('--batch <file>', 'Read JSON lines {id, before, prompt, after}; print one answer per line')
    .option('--provider <provider>', 'Judge to use; only: heuristic', 'heuristic')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect judge "never commit without running the tests"',
        'recollect judge --batch exchanges.jsonl --json',
      ),
    )
    .action(async (words: string[], options: Options) => {
      if (options.provider !== 'heuristic')
        throw new UserError(`Unknown provider "${options.provider}"`, 'The only one is: heuristic')
      if (options.batch) return judgeBatch(options.batch, terminal.jsonLine)
      if (words.length === 0) throw new UserError('Missing text', 'Give a text, or --batch <file>')
      const events = judgeExchange({ before: '', prompt: words.join(' '), after: '' })
      if (options.json) terminal.json({ events })
      else
        for (const { kind, text, isRetraction } of events)
          terminal.print(isRetraction ? `takes back: ${text}` : `${kind}: ${text}`)
      if (events.length === 0) {
        terminal.say('Nothing to learn from it.')
        exit(1)
      }
    })
}

interface BatchExchange extends Partial<PromptInContext> {
  id: unknown
  prompt: string
}

async function judgeBatch(path: string, answer: (line: object) => void): Promise<void> {
  const lines = batchLines<BatchExchange>(path, 'prompt', '{"id", "before", "prompt", "after"}')
  for await (const { id, before = '', prompt, after = '' } of lines) {
    answer({ id, events: judgeExchange({ before, prompt, after }) })
  }
}
