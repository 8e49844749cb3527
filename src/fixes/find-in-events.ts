// Reads the events of a session in order and returns its fixes and the runs of programs. Everything
// that is kept between events is bounded.
import { commandOf } from '../core/commands.ts'
import { trackFailures } from '../learn/causes/resolved.ts'
import { hasFailed, hasPassed, runOf } from '../learn/causes/runs.ts'
import { shownCommand } from '../learn/causes/wording.ts'
import type { Fix } from '../store/fixes/fixes.ts'
import type { ProgramRun } from '../store/fixes/program-runs.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { trackLocatedErrors } from './located-errors.ts'
import { remedyFix } from './remedies.ts'

export interface SessionFindings {
  fixes: Fix[]
  runs: ProgramRun[]
}

/** How far back an error may lie that an event resolves. */
export const maxLookBack = 150

/** Returns a function that takes the events in order. Paths in texts are relative to `cwd`. */
export function findInEvents(cwd: string | null): (event: StoredEvent) => SessionFindings {
  const failures = trackFailures()
  const located = trackLocatedErrors(cwd)
  const calls = new Map<string, StoredEvent>()
  return (event) => {
    const resolved = failures.add(event)
    const remedy = resolved && remedyFix(resolved, cwd)
    const fixes = [...(remedy ? [remedy] : []), ...located.add(event)]
    return { fixes, runs: programRuns(event, calls, cwd) }
  }
}

const maxCalls = 50

function programRuns(event: StoredEvent, calls: Map<string, StoredEvent>, cwd: string | null): ProgramRun[] {
  if (event.kind === 'tool_call' && event.call && commandOf(event.input) !== '') {
    calls.set(event.call, event)
    if (calls.size > maxCalls) calls.delete(calls.keys().next().value!)
  }
  const call = event.kind === 'tool_result' || event.kind === 'test_run' ? calls.get(event.call ?? '') : undefined
  const run = call && runOf(call, event)
  const command = run && run.programs.length <= maxPrograms ? shownCommand(run.command, cwd)?.slice(1, -1) : undefined
  if (!run || !command) return []
  // A silent success counts here: nothing is concluded from it.
  const isPassed = !run.hasFailed && (hasPassed(run, event) || event.text.trim() === '')
  if (!isPassed && !hasFailed(event)) return []
  const folder = /^\s*(?:cd|pushd)\s+("[^"]*"|\S+)\s*(?:&&|;)/.exec(run.command)?.[1]?.replace(/^"|"$/g, '') ?? ''
  const counts = { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1 }
  const atMs = event.ts === null ? null : Date.parse(event.ts)
  return run.programs.map((program) => ({ program, command, folder, ...counts, lastSeq: event.seq, atMs }))
}

/** A longer line is a script, which nobody repeats. */
const maxPrograms = 2
