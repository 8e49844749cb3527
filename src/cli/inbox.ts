import { contradictedBy, type Decision, decide } from '../learn/change.ts'
import { listMemories } from '../store/memories/memories.ts'
import { type Door, examples, oneOf, withLedger } from './command.ts'
import { memoryLine } from './memories.ts'
import { refreshFiles } from './memory-files.ts'

export function addInbox({ program, terminal, exit }: Door): void {
  program
    .command('inbox')
    .description('memories that may contradict another and wait for you to decide')
    .argument('[id]', 'a memory that waits, or one of yours that is marked as against a team')
    .argument(
      '[decision]',
      'keep: it takes the place of the other; drop: it is forgotten; both: the two stand side by side',
    )
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect inbox', 'recollect inbox m-k3j5h2 keep', 'recollect inbox m-k3j5h2 drop'))
    .action((id: string | undefined, decision: string | undefined, options: { json?: boolean }) =>
      withLedger(async (app, ledger) => {
        if (id !== undefined && decision !== undefined) {
          const chosen = oneOf('decision', decision, ['keep', 'drop', 'both']) as Decision
          const changed = decide({ ledger, clock: app.clock, origin: app.machine.name ?? '' }, id, chosen)
          await refreshFiles(app, ledger)
          if (options.json) return terminal.json(changed)
          for (const memory of changed) terminal.print(memoryLine(memory, app.zone, terminal.style))
          return terminal.say('Done. "recollect undo" takes it back.')
        }
        const waiting = listMemories(ledger, { state: 'inbox' }).filter(
          (one) => id === undefined || one.id.startsWith(id),
        )
        if (waiting.length === 0) exit(1)
        const shown = waiting.map((memory) => ({ ...memory, against: contradictedBy(ledger, memory) ?? null }))
        if (options.json) return terminal.json(shown)
        if (waiting.length === 0) return terminal.say('Nothing waits for a decision.')
        for (const { against, ...memory } of shown) {
          terminal.print(memoryLine(memory, app.zone, terminal.style))
          if (against) terminal.print(`  against ${against.id}: ${against.text.replace(/\s+/g, ' ')}`)
        }
        terminal.say('Decide with: recollect inbox <id> keep|drop|both')
      }),
    )
}
