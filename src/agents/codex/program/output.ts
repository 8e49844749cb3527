// Divides what a program printed among its calls. Codex (0.144 and later) puts a heading before it, and every `text(…)`
// of the program is a part of its own unless the whole was cut. Most programs print only the output of a command, so
// that its exit code is lost.
import { isTestCommand, splitCommands, testCounts } from '../../../core/commands.ts'
import type { Json } from '../../../core/session.ts'
import { asArray, asObject, type JsonObject, parseJson } from '../../json-values.ts'
import { contentText, exitedOutput, parseHeaded, stoppedBy, type ToolOutput } from '../output.ts'
import type { Print } from './reading.ts'

export interface ProgramOutput {
  state: 'completed' | 'failed' | 'terminated' | 'running' | 'unknown'
  /** Of a program that still runs. */
  cell?: string
  parts: string[]
}

const heading =
  /^Script (completed|failed|terminated|running with cell ID (\S+))\n(?:Wall time [^\n]*\n)?(?:Output:\n?)?/

export function readProgramOutput(output: Json | undefined): ProgramOutput {
  const texts = Array.isArray(output) ? output.map((part) => contentText([part])) : [contentText([output ?? ''])]
  const [first = '', ...others] = texts
  const head = heading.exec(`${first}\n`)
  if (!head) return { state: 'unknown', parts: texts }
  const rest = first.slice(head[0].length)
  const state = head[2] ? 'running' : (head[1] as 'completed' | 'failed' | 'terminated')
  return { state, cell: head[2], parts: rest === '' ? others : [rest, ...others] }
}

/** The output of each of so many calls; undefined for those that printed nothing. */
export function divideOutput(count: number, prints: Print[] | undefined, parts: string[]): (ToolOutput | undefined)[] {
  const results: (ToolOutput | undefined)[] = new Array(count).fill(undefined)
  if (!prints || prints.length !== parts.length || parts.some((part) => isCut.test(part))) {
    // Not divided: the output is what the model saw after the last call.
    if (count > 0 && parts.length > 0)
      results[count - 1] = count === 1 ? readPart(parts.join('\n')) : { text: parts.join('\n') }
    return results
  }
  for (const [index, print] of prints.entries()) {
    for (const [call, output] of outputsOf(print, parts[index]!)) results[call] = merged(results[call], output)
  }
  return results
}

const isCut = /^Warning: truncated output /

function outputsOf({ calls, exit }: Print, part: string): [number, ToolOutput][] {
  if (calls.length === 0) return []
  if (calls.length === 1) return [[calls[0]!, exit ? withExit(part, exit) : readPart(part)]]
  const list = part.startsWith('[') ? asArray(parseJson(part)) : []
  if (list.length === calls.length) return calls.map((call, index) => [call, readValue(asObject(list[index]), '')])
  return [[calls.at(-1)!, { text: part }]]
}

function merged(before: ToolOutput | undefined, next: ToolOutput): ToolOutput {
  if (!before) return next
  const text = [before.text, next.text].filter((said) => said !== '').join('\n')
  return { ...before, ...next, text }
}

function withExit(part: string, { after, isFirst }: NonNullable<Print['exit']>): ToolOutput {
  const at = isFirst ? (part.startsWith(after) ? 0 : -1) : part.lastIndexOf(after)
  const exit = at < 0 ? undefined : /^-?\d+/.exec(part.slice(at + after.length, at + after.length + 12))?.[0]
  return exit === undefined ? { text: part } : exitedOutput(part, Number(exit))
}

/** A result as text: as JSON with its exit code, with the heading of a command, or only what was printed. */
function readPart(part: string): ToolOutput {
  if (part.startsWith('{')) return readValue(asObject(parseJson(part)), part)
  const headed = parseHeaded(part)
  // Without a heading the words are those of a program: `error: …` may be what it was asked to print.
  return headed.text === part ? { text: part } : headed
}

function readValue(value: JsonObject, part: string): ToolOutput {
  // Promise.allSettled puts each result into {status, value}; programs put it into {i, result} and the like.
  const inner = [value, asObject(value.value), asObject(value.result), asObject(asObject(value.result).value)]
  const result = inner.find(({ output }) => typeof output === 'string')
  if (value.status === 'rejected' || asObject(value.result).status === 'rejected') {
    const reason = part || JSON.stringify(value)
    return { text: reason, error: stoppedBy(String(value.reason ?? '')) ?? 'failed' }
  }
  if (!result) return { text: part || JSON.stringify(value) }
  const { output, exit_code: exit, session_id: session } = result
  const text = String(output)
  if (typeof exit === 'number') return exitedOutput(text, exit)
  if (typeof session === 'number')
    return { text: text || `Process running with session ID ${session}`, running: `${session}` }
  return { text }
}

/** Whether a result without exit code may stand for its call: nobody may take it for a check that passed. */
export function isProven({ tool, command }: { tool: string; command: string }, result: ToolOutput): boolean {
  const { text, exit, error, running } = result
  if (exit !== undefined || error || running || (command === '' && tool !== 'write_stdin')) return true
  const parts = splitCommands(command)
  if (parts.some((part) => isCommit.test(part)) && /^\[[^\]\n]* [0-9a-f]{7,40}\] /m.test(text)) return true
  if (isTestCommand(command) && testCounts(text)) return true
  if (text.trim() === '' || mayHaveFailed.test(text.slice(-400))) return false
  if (parts.some((part) => isPush.test(part))) return /^ [ *+-] .* -> /m.test(text)
  return !parts.some((part) => isCommit.test(part) || isCheck.test(part))
}

const isCheck =
  /\b(?:tests?|specs?|check|verify|lint|build|compile|tsc|typecheck|eslint|biome|ruff|mypy|clippy|vet|release|deploy|publish|pr (?:create|merge))\b|\b(?:jest|vitest|pytest|mocha|tox|rspec)\b/
const isCommit = /^(?:\w+=\S*\s+)*git\b.*\s(?:commit|revert|cherry-pick|merge|rebase)\b/
const isPush = /^(?:\w+=\S*\s+)*git\b.*\spush\b/
const mayHaveFailed =
  /\b(?:errors?|fatal|fail(?:ed|ure|s)?|no such file|not found|no matches found|can(?:'t|not)|could not|unable|un(?:known|recognized|matched|expected|authorized)|denied|refused|rejected|time(?:d ?)?out|traceback|exception|panic|aborting|conflicts?|exited with|usage:|Node\.js v\d|Bun v\d)\b/i
