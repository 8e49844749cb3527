import { createReadStream } from 'node:fs'
import { UserError } from '../core/errors.ts'
import { judgeExchange } from '../learn/heuristic/judge.ts'
import { type Door, examples } from './command.ts'

interface Options {
  json?: boolean
  batch?: string
  provider: string
}

export function addJudge({ program, terminal, exit }: Door): void {
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

async function judgeBatch(path: string, answer: (line: object) => void): Promise<void> {
  const { createInterface } = await import('node:readline')
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path) })) {
    number++
    if (line.trim() === '') continue
    const { id, before, prompt, after } = parsed(line, `${path}:${number}`)
    answer({ id, events: judgeExchange({ before: before ?? '', prompt, after: after ?? '' }) })
  }
}

function parsed(line: string, place: string): { id: unknown; before?: string; prompt: string; after?: string } {
  try {
    const value = JSON.parse(line) as { id: unknown; prompt: string }
    if (typeof value.prompt === 'string') return value
  } catch {
    // told below
  }
  throw new UserError(`${place}: not {"id", "before", "prompt", "after"}`, 'Correct that line.')
}
