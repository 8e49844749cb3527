import type { Command } from 'commander'
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { keepCandidates, reviewQueue } from '../../learn/review/review.ts'
import {
  type CommandContext,
  changeContext,
  countOption,
  examples,
  projectOption,
  refreshMemoryFiles,
  sinceOption,
  withLedger,
} from '../command.ts'
import { admissionLines, memoryJson, memoryLine } from './memory-text.ts'

interface ReviewOptions {
  project?: string
  since?: string
  limit?: string
}

export function addMemoriesReview(memories: Command, { terminal, exit }: CommandContext): void {
  memories
    .command('review')
    .description('Decide about candidates and the inbox, one key each')
    .option('--project <project>', 'Only this project (name, identity or folder)')
    .option('--since <when>', 'Only what was said since a date, or within 7d, 2w, …')
    .option('--limit <n>', 'Maximum number of items')
    .addHelpText(
      'after',
      `
Keys: k keep, e edit, w this project or everywhere, f forget, l later,
u undo the last decision, q quit, ? help.
${examples(
  'recollect memories review',
  'recollect memories review --project . --since 30d',
  'recollect memories --candidates --json   (without a terminal)',
  'recollect memories keep m-k3j5h2',
  'recollect forget m-8sdk2p',
)}`,
    )
    .action((options: ReviewOptions) =>
      withLedger(async (app, ledger) => {
        const project = projectOption(app, ledger, options.project)
        const since = sinceOption(options.since, app)
        const limit = countOption(options.limit, 'limit')
        if (!process.stdin.isTTY || !process.stderr.isTTY)
          throw new UserError(
            'A review needs a terminal',
            'Without one: recollect memories --candidates, then recollect memories keep <id...>\nor recollect forget <id...>; recollect inbox, then recollect inbox <id> keep|drop|both',
          )
        const queue = reviewQueue(ledger, {
          now: isoTime(app.clock.nowMs()),
          ...(project === undefined ? {} : { project }),
          ...(since === undefined ? {} : { since: isoTime(since) }),
          ...(limit === undefined ? {} : { limit }),
        })
        if (queue.length === 0) {
          exit(1)
          return terminal.say('Nothing to review.')
        }
        const [{ openKeyReader }, { reviewLoop }, steps, { createRedactor, removalNotice }] = await Promise.all([
          import('../prompts.ts'),
          import('../review-loop.ts'),
          import('./review-steps.ts'),
          import('../../core/redact/redact.ts'),
        ])
        const keys = openKeyReader()
        const { clean, counts: removed } = createRedactor()
        const counts = { kept: 0, forgotten: 0, later: 0 }
        const reviewer = {
          ...{ context: changeContext(app, ledger), ask: keys.next, editLine: keys.editLine, clean, say: terminal.say },
          display: { style: terminal.style, zone: app.zone, columns: terminal.columns },
        }
        try {
          const items = queue.map(steps.reviewCard)
          await reviewLoop(items, steps.memoryReviewSteps(reviewer, counts), terminal)
        } finally {
          keys.close()
          if (counts.kept + counts.forgotten > 0) await refreshMemoryFiles(app, ledger)
        }
        const notice = removalNotice(removed)
        if (notice) terminal.say(notice)
        const { kept, forgotten, later } = counts
        const left = Math.max(0, queue.length - kept - forgotten - later)
        const hint = kept + forgotten > 0 ? ' To undo the last: recollect undo' : ''
        terminal.say(`${kept} kept, ${forgotten} forgotten, ${later} later, ${left} left.${hint}`)
      }),
    )
}

export function addMemoriesKeep(memories: Command, { terminal }: CommandContext): void {
  memories
    .command('keep')
    .description('Keep candidates as memories')
    .argument('<id...>', 'Ids of candidates, or the beginning of them')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect memories --candidates', 'recollect memories keep m-k3j5h2 m-8sdk2p'))
    .action((ids: string[], options: { json?: boolean }) =>
      withLedger(async (app, ledger) => {
        const report = keepCandidates(changeContext(app, ledger), ids)
        await refreshMemoryFiles(app, ledger)
        const { kept, merged, inbox } = report
        if (options.json) return terminal.json([...kept, ...merged, ...inbox].map((one) => memoryJson(ledger, one)))
        terminal.say(`${kept.length} kept. To undo: recollect undo`)
        for (const memory of kept) terminal.tell(memoryLine(ledger, memory, app, terminal.style))
        for (const line of admissionLines(report)) terminal.say(line)
      }),
    )
}
