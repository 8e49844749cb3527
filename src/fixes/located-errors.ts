// Follows errors of linters and compilers that name a file: an edit replaces the line, and the next
// run of the same program no longer prints the error.
import { commandOf } from '../core/commands.ts'
import { type CommandRun, runOf } from '../learn/causes/runs.ts'
import { relativeTo, shownCommand } from '../learn/causes/wording.ts'
import type { Fix } from '../store/fixes/fixes.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { changesOf, type EditChange, gistOf, removesError } from './edit-changes.ts'
import { type ErrorLine, errorLinesIn, isTestFile } from './error-lines.ts'

interface OpenError {
  error: ErrorLine
  run: CommandRun
  /** The last edit of the line since it was printed. */
  change: EditChange | undefined
}

const max = { open: 60, calls: 50, events: 150 }

export function trackLocatedErrors(cwd: string | null): { add(event: StoredEvent): Fix[] } {
  const calls = new Map<string, StoredEvent>()
  let open: OpenError[] = []
  return { add }

  function add(event: StoredEvent): Fix[] {
    if (event.kind === 'tool_call' && event.call) {
      calls.set(event.call, event)
      if (calls.size > max.calls) calls.delete(calls.keys().next().value!)
    }
    if (event.kind === 'edit' && open.length > 0) addChanges(changesOf(calls.get(event.call ?? '')?.input))
    return event.kind === 'tool_result' || event.kind === 'test_run' ? addResult(event) : []
  }

  function addChanges(changes: EditChange[]): void {
    for (const one of open) {
      const change = changes.find((change) => removesError(one.error, change))
      if (change) one.change = change
    }
  }

  function addResult(result: StoredEvent): Fix[] {
    const call = calls.get(result.call ?? '')
    if (!call || commandOf(call.input) === '') return []
    const run = runOf(call, result)
    if (!run) return []
    open = open.filter((one) => result.seq - one.run.seq <= max.events)
    const [again, others] = split(open, (one) => one.run.programs.some((name) => run.programs.includes(name)))
    // A run that passed opens nothing, and resolves only errors of its own programs.
    if (!run.hasFailed && again.length === 0) return []
    const errors = errorLinesIn(result.text).filter(isFixable)
    const isPrinted = ({ error }: OpenError) =>
      errors.some(({ shape, file, source }) => shape === error.shape && file === error.file && source === error.source)
    const [left, gone] = split(again, isPrinted)
    open = [...others, ...(run.hasFailed ? newErrors(run, errors) : left)].slice(-max.open)
    return gone.flatMap((one) => fixOf(one, result, cwd) ?? [])
  }
}

/** Not assertions of tests, which are about the code under test, and not what every compiler says. */
function isFixable({ file, message, details }: ErrorLine): boolean {
  if (isTrivial.test(message)) return false
  return file === null ? details.length > 0 : !(isTestFile.test(file) && isAssertion.test(message))
}

const isAssertion = /\b(?:got|want|expected|should|must)\b/i
const isTrivial =
  /imported (?:and|but) (?:not used|never used|unused)|declared (?:and|but) (?:not used|never used|its value is never read)|\b(?:unused|noUnused)|syntax error|unexpected token|expected declaration|expected ['"`;{}()]|undefined:|not (?:properly )?(?:formatted|gofmt)|redeclared|missing return/i

function newErrors(run: CommandRun, errors: ErrorLine[]): OpenError[] {
  return errors.map((error) => ({ error, run, change: undefined }))
}

function fixOf({ error, run, change }: OpenError, { seq, ts }: StoredEvent, cwd: string | null): Fix | undefined {
  const command = shownCommand(run.command, cwd)?.slice(1, -1)
  if (!change || !command) return undefined
  const { message, shape, details } = error
  // Tools print paths from the root of the project, agents absolute ones.
  const file = error.file ?? relativeTo(cwd, change.path)
  const diff = gistOf(error, change)
  if (diff === '') return undefined
  return {
    ...{ kind: 'edit', program: run.programs.at(-1)!, command, error: message, shape, details, file, diff },
    remedy: `Edited ${file}.`,
    ...{ failedSeq: run.seq, seq, atMs: ts === null ? null : Date.parse(ts) },
  }
}

function split<T>(items: readonly T[], is: (item: T) => boolean): [T[], T[]] {
  return [items.filter(is), items.filter((item) => !is(item))]
}
