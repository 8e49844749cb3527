// Finds the call that a result of Antigravity belongs to. Neither has an id: the numbers of steps
// say what followed what. Lines are nearly in their order, but a result was seen before its answer
// (reports of 2026), and a step in the background may be written again when it has ended.
import type { Json } from '../../core/session.ts'
import { asArray, asCount, asObject, asString } from '../json-values.ts'
import { isResultOf } from './tools.ts'

export interface MadeCall {
  call: string
  tool: string
}

interface NumberedCall extends MadeCall {
  step: number
  /** The step of its result, if the results follow the answer in order. */
  due: number
}

/** A result whose call has not been read. */
export interface EarlyResult {
  step: number
  type: string
  call: string
  isError: boolean
}

export interface StepCalls {
  /** Forgets the calls before a step: their results were never written. */
  skipTo(step: number): void
  open(step: number, index: number, made: MadeCall): void
  hasOpen(step: number): boolean
  /** The call of a result. Of a step that is still running it can be taken again. */
  take(step: number, type: string, isRunning: boolean): MadeCall | undefined
  addEarly(result: EarlyResult): void
  /** The result of a call, if it came before it. */
  takeEarly(step: number, index: number, tool: string): EarlyResult | undefined
  state(): Json
}

/** Killed conversations never close their calls. */
const maxKept = 100
/** Steps between an answer and a result that was written before it. */
const maxDistance = 10

export function stepCalls(saved: Json | undefined): StepCalls {
  const state = asObject(saved)
  let open = asArray(state.open).map(numberedCall)
  let running = asArray(state.running).map(numberedCall)
  let early = asArray(state.early).map(earlyResult)
  return {
    skipTo(step) {
      open = open.filter((made) => made.step > step)
    },
    open(step, index, made) {
      open = [...open, { step, due: dueStep(step, index), ...made }].slice(-maxKept)
    },
    hasOpen: (step) => open.some((made) => made.step < step),
    take(step, type, isRunning) {
      const again = running.find((made) => made.step === step)
      running = running.filter((made) => made !== again)
      const candidates = open.filter((made) => made.step < step)
      const isNamed = ({ tool }: NumberedCall) => isResultOf(type, tool)
      const made = again ?? best(candidates, isNamed, ({ due }) => due === step)
      open = open.filter((one) => one !== made)
      if (made && isRunning) running = [...running, { ...made, step }].slice(-maxKept)
      return made
    },
    addEarly(result) {
      early = [...early, result].slice(-maxKept)
    },
    takeEarly(step, index, tool) {
      const candidates = early.filter((result) => result.step > step && result.step <= step + maxDistance)
      const isNamed = ({ type }: EarlyResult) => isResultOf(type, tool)
      const found = best(candidates, isNamed, (result) => result.step === dueStep(step, index))
      early = early.filter((result) => result !== found)
      return found
    },
    state: () => ({
      open: open.map((made) => ({ ...made })),
      running: running.map((made) => ({ ...made })),
      early: early.map((result) => ({ ...result })),
    }),
  }
}

function dueStep(step: number, index: number): number {
  return step + 1 + index
}

/** Of those with the right name, else of all, the one at its place, else the first one. */
function best<T>(list: T[], isNamed: (one: T) => boolean, isDue: (one: T) => boolean): T | undefined {
  const named = list.filter(isNamed)
  const all = named.length > 0 ? named : list
  return all.find(isDue) ?? all[0]
}

function numberedCall(value: Json): NumberedCall {
  const { step, due, call, tool } = asObject(value)
  return { step: asCount(step), due: asCount(due), call: asString(call), tool: asString(tool) }
}

function earlyResult(value: Json): EarlyResult {
  const { step, type, call, isError } = asObject(value)
  return { step: asCount(step), type: asString(type), call: asString(call), isError: isError === true }
}
