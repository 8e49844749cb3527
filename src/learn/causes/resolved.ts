// Finds failures that were resolved: a command fails, the agent says and changes something, and the
// same command passes. Events are streamed, and all lists are bounded.

import { commandOf, splitCommands } from '../../core/commands.ts'
import { hasFailed } from '../../session/run-outcome.ts'
import type { StoredEvent } from '../../store/sessions/bodies.ts'
import { truncate } from '../../text/truncate.ts'
import { type CommandRun, hasPassed, isSameRun, runOf } from './runs.ts'

export interface ResolvedFailure {
  failed: CommandRun
  passed: CommandRun
  /** What the agent said between the last failure and the pass, in order. */
  said: string[]
  /** Files that it changed in between, or the tool that changed files. */
  edits: string[]
  /** Other commands that passed in between. */
  commands: string[]
  /** Number of prompts in between. */
  prompts: number
}

type OpenFailure = Omit<ResolvedFailure, 'passed'>

export interface FailureTracker {
  /** Takes events in order; returns a failure that the event resolves. */
  add(event: StoredEvent): ResolvedFailure | undefined
}

const max = { open: 12, calls: 50, said: 20, text: 6000, commands: 10, edits: 20, events: 150 }

export function trackFailures(): FailureTracker {
  const calls = new Map<string, StoredEvent>()
  let open: OpenFailure[] = []
  return { add }

  function add(event: StoredEvent): ResolvedFailure | undefined {
    switch (event.kind) {
      case 'tool_call':
        if (event.call) calls.set(event.call, event)
        if (open.length > 0 && changesFiles(commandOf(event.input))) addEdits([event.tool ?? ''])
        if (calls.size > max.calls) calls.delete(calls.keys().next().value!)
        return undefined
      case 'tool_result':
      case 'test_run':
        return addResult(event)
      case 'prompt':
        for (const one of open) one.prompts++
        return undefined
      case 'reply':
      case 'thinking':
        for (const { said } of open) if (said.length < max.said) said.push(truncate(event.text, max.text))
        return undefined
      case 'edit':
        addEdits((event.files ?? []).map(({ path }) => path))
        return undefined
      default:
        return undefined
    }
  }

  function addEdits(paths: string[]): void {
    for (const { edits } of open) if (edits.length < max.edits) edits.push(...paths)
  }

  function addResult(result: StoredEvent): ResolvedFailure | undefined {
    const call = calls.get(result.call ?? '')
    calls.delete(result.call ?? '')
    open = open.filter(({ failed }) => result.seq - failed.seq <= max.events)
    if (!call || (open.length === 0 && !hasFailed(result))) return undefined
    const run = runOf(call, result)
    if (!run) return undefined
    const before = open.findLast(({ failed }) => isSameRun(failed, run))
    if (run.hasFailed) {
      open = open.filter((one) => one !== before).slice(1 - max.open)
      open.push({ failed: run, said: [], edits: [], commands: [], prompts: 0 })
      return undefined
    }
    if (before && !hasPassed(run, result)) return undefined
    open = open.filter(({ failed }) => !isSameRun(failed, run))
    for (const { commands } of open) if (commands.length < max.commands) commands.push(run.command)
    return before && { ...before, passed: run }
  }
}

/** Shell lines that write files of the project or check out others are edits, too. */
function changesFiles(command: string): boolean {
  return (
    command !== '' && (hasWritingCode.test(command) || splitCommands(command).some((part) => writesFiles.test(part)))
  )
}

const hasWritingCode = /\.write_text\(|\bwriteFile|\bopen\([^)]*['"][wa]b?['"]|\bapply_patch\b/
const writesFiles =
  /^(?:sed\s+(?:-\S+\s+)*-\w*i|perl\s+-\w*i|tee\s|patch\s)|(?<![-=\d&])>{1,2}\s*(?!\/dev\/|\/tmp\/|&|\s|$)\S|^git (?:-C \S+ )?(?:apply|checkout|switch|restore|stash|merge|rebase|cherry-pick|pull|reset|revert|am)\b/
