// Whether work passed: edits, test runs, checks and commits, followed event by event. A digest keeps
// them among its signals; where only they are needed, the rest of a digest is not worth its time.
import { commandOf, endsWithTests } from '../core/commands.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { type EventSummary, summariseEvent } from '../store/sessions/events.ts'
import { commandNames, isCheckStep, isPiped, isReleaseStep, isTestStep } from './command-names.ts'
import { mayPublish, publicationsIn, recordedCommit } from './published-work.ts'

/** Places of the latest event of each kind. */
export interface PassingSignals {
  edit: number | null
  test: { seq: number; isOk: boolean } | null
  /** A build, a linter, a type check. */
  check?: { seq: number; isOk: boolean } | null
  /** A commit, a push, a pull request. */
  commit: number | null
}

/** Whether the call of a result worked. */
export function isOkResult({ error, exit }: EventSummary): boolean {
  return !error && !exit
}

/** Task runners say in the name of the task what they run: `mise run test`, `just lint`. */
export function noteCheck(signals: PassingSignals, seq: number, isOk: boolean, command: string): void {
  const names = command ? commandNames(command) : []
  const isTest = names.some(isTestStep)
  const isCheck = !isTest && names.some((name) => isCheckStep(name) || isReleaseStep(name))
  if (!isTest && !isCheck) return
  const before = isTest ? signals.test : signals.check
  // The exit code of a pipe is that of its last command, so it does not show that a failure is gone.
  const isStillFailing = before?.isOk === false && (signals.edit ?? -1) < before.seq
  if (isOk && isStillFailing && isPiped(command)) return
  if (isTest) signals.test = { seq, isOk }
  else signals.check = { seq, isOk }
}

export function testsPassed(event: EventSummary, isOk: boolean, command: string): boolean {
  return (isOk || isFailureOfLaterStep(event, command)) && (event.tests?.failed ?? 0) === 0
}

/** The exit code of a line is that of its last command: tests that all passed did not fail. */
function isFailureOfLaterStep({ tests, error }: EventSummary, command: string): boolean {
  if (!tests || tests.passed === 0 || tests.failed > 0 || (error && error !== 'failed')) return false
  return !endsWithTests(command)
}

/** The part of a command that is kept until its result comes. */
export const maxOpenCommand = 2000
export const maxOpenCalls = 200

/**
 * Signals of a session that is read from its beginning, with a function that takes its whole events in
 * order. They are those of a digest, except that a commit which is taken back still counts.
 */
export function followSignals(): { signals: PassingSignals; follow(event: StoredEvent): void } {
  const signals: PassingSignals = { edit: null, test: null, commit: null }
  const calls = new Map<string, string>()
  return { signals, follow }

  function follow(event: StoredEvent): void {
    switch (event.kind) {
      case 'edit':
        signals.edit = event.seq
        return
      case 'tool_call':
        if (!event.call) return
        calls.set(event.call, summarisedCommand(event).slice(0, maxOpenCommand))
        if (calls.size > maxOpenCalls) calls.delete(calls.keys().next().value!)
        return
      case 'tool_result':
      case 'test_run':
        return followResult(event)
      case 'lifecycle':
        if (recordedCommit(summariseEvent(event).text)) signals.commit = event.seq
    }
  }

  function followResult(event: StoredEvent): void {
    const command = event.call ? calls.get(event.call) : undefined
    if (event.call) calls.delete(event.call)
    const isOk = isOkResult(event)
    if (event.kind === 'test_run') signals.test = { seq: event.seq, isOk: testsPassed(event, isOk, command ?? '') }
    else noteCheck(signals, event.seq, isOk, command ?? '')
    if (!command || !mayPublish(command)) return
    if (publicationsIn(command, summariseEvent(event).text, isOk).length > 0) signals.commit = event.seq
  }
}

/** As it is in the summary of the event, without the cost of one where the command is a string. */
function summarisedCommand(event: StoredEvent): string {
  const { input } = event
  const command = typeof input === 'object' && input !== null && !Array.isArray(input) ? input.command : undefined
  return typeof command === 'string' ? command : commandOf(summariseEvent(event).input)
}
