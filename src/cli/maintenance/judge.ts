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
    .description('say what in a message is worth remembering, without a model; nothing is stored')
    .argument('[text...]', 'what a person wrote')
    .option('--batch <file>', 'JSON lines {id, before, prompt, after}: one answer per line')
    .option('--provider <provider>', 'who judges; so far: heuristic', 'heuristic')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'recollect judge "never commit without running the tests"',
        'recollect judge --batch exchanges.jsonl --json',
      ),
    )
    .action(async (words: string[], options: Options) => {
      if (options.provider !== 'heuristic')
        throw new UserError(`Unknown provider "${options.provider}"`, 'So far there is one: heuristic')
      if (options.batch) return judgeBatch(options.batch, (answer) => terminal.print(JSON.stringify(answer)))
      if (words.length === 0) throw new UserError('Nothing to judge', 'Give a text, or --batch with a file')
      const events = judgeExchange({ before: '', prompt: words.join(' '), after: '' })
      if (options.json) terminal.json({ events })
      else for (const { kind, text } of events) terminal.print(`${kind}: ${text}`)
      if (events.length === 0) {
        terminal.say('Nothing in it is worth remembering.')
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
