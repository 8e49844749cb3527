// The calls of programs. In code mode (0.144 and later) the model calls only a tool `exec`, with a program that makes the
// calls. They become events as if the model had made each; the program has events of its own only if it makes more calls
// than can be read. Since about 0.147 each call is also reported when it ends, with an id of its own and the exit code:
// such a report belongs to the first call of the same command without an end.
import { commandOf } from '../../core/commands.ts'
import type { ToolError } from '../../core/session.ts'
import { asObject, asString, type JsonObject, parseJson } from '../json-values.ts'
import { readOutput, stoppedBy, type ToolOutput } from './output.ts'
import { divideOutput, isProven, type ProgramOutput, readProgramOutput } from './program/output.ts'
import { readProgram } from './program/read.ts'
import { type CodexThread, emit, forgetOldest, type InsideCall, type OpenProgram } from './state.ts'
import { callOf, closeCall, openCall, readCall, type ToolRequest } from './tools.ts'

export function isProgram(payload: JsonObject): boolean {
  return payload.type === 'custom_tool_call' && payload.name === 'exec'
}

export function readProgramCall(thread: CodexThread, payload: JsonObject, ts: string | null): void {
  const call = callOf(payload)
  const { calls, prints, isWhole: hasAll } = readProgram(asString(payload.input))
  const isWhole = call !== undefined && hasAll && calls.length > 0
  if (!isWhole) readCall(thread, payload, ts)
  if (call === undefined || calls.length === 0) return
  const inside = calls.map(({ tool, input }, index): InsideCall => {
    const id = isWhole && calls.length === 1 ? call : `${call}/${index + 1}`
    openCall(thread, { tool, input, call: id, ts })
    return { id, tool, command: commandOf(input).slice(0, maxCommand), state: 'open', isPatched: false }
  })
  thread.programs.set(call, { calls: inside, prints, isWhole, parts: [], cell: '' })
  forgetOldest(thread.programs, 20)
}

const maxCommand = 4000
/** What is kept of a program that was interrupted to say what it printed so far. */
const maxPrinted = 20_000

/** Whether the result was one of a program, or of a call that waits for one. */
export function readProgramResult(thread: CodexThread, payload: JsonObject, ts: string | null): boolean {
  const call = callOf(payload)
  if (call === undefined) return false
  const runner = thread.waits.get(call) ?? call
  const program = thread.programs.get(runner)
  if (!program) return false
  const output = readProgramOutput(payload.output)
  thread.waits.delete(call)
  if (!program.isWhole) closeCall(thread, call, readOutput(payload.output), ts)
  else if (call !== runner) closeCall(thread, call, { text: `Script ${output.state}` }, ts)
  program.parts.push(...output.parts)
  if (output.state === 'running') {
    program.cell = output.cell ?? ''
    if (program.parts.join('').length > maxPrinted) program.prints = undefined
    while (program.parts.join('').length > maxPrinted) program.parts.shift()
    return true
  }
  closeCalls(thread, program, output, ts)
  if (program.calls.every(({ state }) => state === 'closed')) thread.programs.delete(runner)
  return true
}

/** A call of the tool `wait`, with the id that a running program was given. */
export function readWait(thread: CodexThread, payload: JsonObject): void {
  const call = callOf(payload)
  if (payload.name !== 'wait' || call === undefined) return
  const cell = String(asObject(parseJson(asString(payload.arguments))).cell_id ?? '')
  if (cell === '') return
  const runner = [...thread.programs].findLast(([, program]) => program.cell === cell)?.[0]
  if (runner) thread.waits.set(call, runner)
  forgetOldest(thread.waits, 20)
}

function closeCalls(thread: CodexThread, program: OpenProgram, { state }: ProgramOutput, ts: string | null): void {
  const { calls, parts, prints, isWhole } = program
  const failure = state === 'failed' && parts.at(-1)?.startsWith('Script error:') ? parts.pop()! : ''
  const reached = state === 'completed' ? prints : prints?.slice(0, parts.length)
  // What cannot be divided is in the program's own events if it has some.
  const results = isWhole || reached?.length === parts.length ? divideOutput(calls.length, reached, parts) : []
  const isUnknown = (call: InsideCall, index: number) => call.state === 'open' && results[index]?.exit === undefined
  const failed = state === 'failed' ? calls.findLastIndex(isUnknown) : -1
  if (failed < 0 && failure && isWhole) {
    // The program itself went wrong after its calls.
    emit(thread, { kind: 'tool_result', role: 'tool', tool: 'exec', ts, ...failureOf('', failure) })
  }
  for (const [index, call] of calls.entries()) {
    if (call.state !== 'open') continue
    const result: ToolOutput | undefined =
      index === failed ? failureOf(results[index]?.text ?? '', failure) : resultOf(call, results[index], state)
    call.state = result?.running ? 'running' : 'closed'
    if (result) closeCall(thread, call.id, { ...result, isUnproven: !isProven(call, result) }, ts)
  }
}

/** Undefined for a command whose output the program does not show: nothing is known of it. */
function resultOf(call: InsideCall, found: ToolOutput | undefined, state: string): ToolOutput | undefined {
  return found ?? (call.command === '' && state === 'completed' ? { text: '' } : undefined)
}

function failureOf(printed: string, failure: string): { text: string; error: ToolError } {
  const said = failure.replace(/^Script error:\n?/, '')
  const isDenied = /\bRejected\(|\brejected by (?:the )?user\b/i.test(said)
  const text = [printed, failure].filter((part) => part !== '').join('\n') || 'Script failed'
  return { text, error: stoppedBy(said) ?? (isDenied ? 'denied' : 'failed') }
}

/** Whether a report is about a call that a program made: such calls have no item of their own. */
export function isInsideProgram(call: string): boolean {
  return /^exec-[0-9a-f]{8}-/.test(call)
}

/** A call that ended, as its report tells: the call that the program was read to make, or one that was not read. */
export function readInsideCall(thread: CodexThread, request: ToolRequest & { call: string }, result: ToolOutput): void {
  const found = insideCall(thread, request)
  if (!found) {
    openCall(thread, request)
    closeCall(thread, request.call, result, request.ts)
    return
  }
  const isLate = found.state === 'running'
  found.state = 'closed'
  if (isLate) {
    // A call that looked at the running command is none of its own run.
    thread.looks.clear()
    thread.calls.open({
      id: '',
      key: '',
      kind: 'tool_call',
      role: 'assistant',
      ts: null,
      text: '',
      tool: found.tool,
      call: found.id,
      input: { cmd: found.command },
    })
  }
  closeCall(thread, found.id, { ...result, isLate }, request.ts)
}

function insideCall(thread: CodexThread, { tool, input }: ToolRequest): InsideCall | undefined {
  const words = asObject(input).command
  const command = commandOf(input)
  const last = Array.isArray(words) ? asString(words.at(-1)) : ''
  const commands = [command, last].filter((line) => line !== '').map((line) => line.slice(0, maxCommand))
  return [...thread.programs.values()]
    .flatMap((program) => program.calls)
    .find((call) => {
      if (call.state === 'closed') return false
      if (commands.length > 0) return commands.includes(call.command)
      return call.state === 'open' && identifier(call.tool) === identifier(tool)
    })
}

/** As Codex names a tool within programs. */
function identifier(tool: string): string {
  return tool.replace(/[^\w$]/g, '_')
}

/** The call whose patch a report is about. */
export function insidePatch(thread: CodexThread, call: string): string {
  if (!isInsideProgram(call)) return call
  const found = [...thread.programs.values()]
    .flatMap((program) => program.calls)
    .find(({ tool, command, state, isPatched }) => {
      return state === 'open' && !isPatched && (tool === 'apply_patch' || /\bapply_?patch\b/.test(command))
    })
  if (!found) return call
  found.isPatched = true
  return found.id
}
