import { UserError } from '../../core/errors.ts'
import { judgeExchange } from '../../learn/heuristic/judge.ts'
import type { PromptInContext } from '../../learn/heuristic/score-sentences.ts'
import type { Learning } from '../../memory/memory.ts'
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
      const events = eventsOf({ before: '', prompt: words.join(' '), after: '' })
      if (options.json) terminal.json({ events })
      else
        for (const { tier, kind, text, score = 0, isRetraction } of events)
          terminal.print(isRetraction ? `takes back: ${text}` : `${tier} ${score.toFixed(2)} ${kind}: ${text}`)
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
    answer({ id, events: eventsOf({ before, prompt, after }) })
  }
}

/** What the person asked to remember becomes a memory; the rest are candidates. */
function eventsOf(exchange: PromptInContext): (Learning & { tier: 'memory' | 'candidate' })[] {
  return judgeExchange(exchange).map((learning) => ({ tier: learning.isRequest ? 'memory' : 'candidate', ...learning }))
}
