// The build as a stage of a sweep: it asks a model only about the days that are still fresh, and what it cannot write is told of and
// tried again, instead of ending the sweep.
import { join } from 'node:path'
import { isoTime } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { messageOf } from '../core/errors.ts'
import { clearProblemsBelow, reportProblem, wholeFileOffset } from '../store/sessions/transcripts.ts'
import { type BuildContext, buildWiki } from './build.ts'

/** How many articles were written or removed. */
export async function buildInSweep(context: BuildContext & { config: Config }): Promise<number> {
  const { ledger, clock, zone, config } = context
  const path = join(ledger.layout.vault, 'wiki')
  const askSinceDay = zone.day(isoTime(clock.nowMs() - config.learn.freshDays * 86_400_000))
  try {
    const build = await buildWiki(context, { askSinceDay })
    if (build.kind === 'busy') return 0
    const { created, updated, removed, problems } = build.report
    clearProblemsBelow(ledger, path)
    for (const problem of problems) report(context, join(ledger.layout.vault, `${problem.path}.md`), problem.reason)
    return created.length + updated.length + removed.length
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).syscall) throw error
    report(context, path, messageOf(error))
    return 0
  }
}

function report({ ledger, clock }: BuildContext, path: string, reason: string): void {
  reportProblem(ledger, { path, offset: wholeFileOffset, reason, seenAt: isoTime(clock.nowMs()) })
}
