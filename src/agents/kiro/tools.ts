// Tool calls and results of Kiro, which its stores write in different forms: names in camel case or
// snake case, blocks as `{kind, data}` (JSON lines) or `{Text}` and `{Json}` (SQLite).
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import { absolutePath, lineCount } from '../file-changes.ts'
import { asArray, asObject, asString, imagePlaceholder, type JsonObject, optionalString } from '../json-values.ts'
import { partsText } from '../kimi/content.ts'

/** Kiro adds an argument in which the model explains the call; it is not passed to the tool. */
export function argumentsOf(input: Json | undefined): Json {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input ?? {}
  const { __tool_use_purpose, ...passed } = input
  return passed
}

export function plannedChanges(tool: string, input: JsonObject, cwd: string | undefined): FileChange[] {
  const path = optionalString(input.path)
  if (!path || !/^(?:fs_)?write$/.test(tool)) return []
  const before = asString(input.oldStr) || asString(input.old_str)
  const after = [input.content, input.file_text, input.newStr, input.new_str].map(asString).find((part) => part !== '')
  return [
    {
      path: absolutePath(path, cwd),
      change: input.command === 'create' ? 'add' : 'update',
      added: lineCount(after ?? ''),
      removed: lineCount(before),
    },
  ]
}

interface CallOutcome {
  text: string
  error?: ToolError
  exit?: number
}

/** The status is `success` even for a command that failed: its exit status is in the output. */
export function outcomeOf(content: Json | undefined, status: string): CallOutcome {
  const items = asArray(content).map(asObject)
  const said = items.map(itemText).filter((part) => part !== '')
  const exit = items.map((item) => exitOf(asObject(jsonOf(item)))).find((code) => code !== undefined)
  const text = said.join('\n')
  if (/^error$/i.test(status)) return { text, error: errorKind(text), exit }
  return { text, error: exit ? 'failed' : undefined, exit }
}

function jsonOf(item: JsonObject): Json | undefined {
  return item.kind === 'json' ? item.data : item.Json
}

function itemText(item: JsonObject): string {
  const json = jsonOf(item)
  // A result of an MCP server is a list of parts.
  if (json !== undefined)
    return shellText(asObject(json)) ?? (partsText(asObject(json).content) || JSON.stringify(json))
  if (item.kind === 'image' || item.Image !== undefined) return imageText(asObject(item.data ?? item.Image))
  return asString(item.kind === 'text' ? item.data : item.Text)
}

function shellText(json: JsonObject): string | undefined {
  if (!('exit_status' in json)) return undefined
  return [json.stdout, json.stderr]
    .map(asString)
    .filter((part) => part !== '')
    .join('\n')
}

/** `exit status: 1` in the JSON lines, `1` in SQLite; a killed command has a signal. */
function exitOf({ exit_status: status }: JsonObject): number | undefined {
  if (typeof status === 'number') return status
  const [, kind, code] = /^\s*(exit status|exit code|signal)?:?\s*(-?\d+)/.exec(asString(status)) ?? []
  if (code === undefined) return undefined
  return kind === 'signal' ? 128 + Number(code) : Number(code)
}

/** The bytes are a list of numbers. */
export function imageText({ format, source }: JsonObject): string {
  const { data, Bytes: bytes } = asObject(source)
  return imagePlaceholder(optionalString(format) && `image/${format}`, asString(data) || asString(bytes))
}

/** Texts of the client: amazon-q-developer-cli (April 2026) and, by another reader, Kiro CLI 2.24. */
function errorKind(said: string): ToolError {
  if (/^(?:User denied tool execution|Tool use was (?:denied|rejected))/.test(said)) return 'denied'
  if (/^Tool use was cancelled by the user/.test(said)) return 'interrupted'
  return /^Tool use was (?:approved, but did not execute|not executed)/.test(said) ? 'cancelled' : 'failed'
}

/** Texts that the client sends or stores in the place of a person or of the model. */
export function isMachinePrompt(said: string): boolean {
  return machinePrompt.test(said)
}

const machinePrompt =
  /^(?:You took too long to respond - try to split|The conversation history has overflowed, clearing state)/

/** The role and kind of a text in the place of an answer. */
export function answerKind(said: string): Pick<Event, 'kind' | 'role'> {
  if (
    /^(?:Tool uses were interrupted, waiting for the next user prompt|Response was interrupted by the user)\s*$/.test(
      said,
    )
  )
    return { kind: 'interrupt', role: 'user' }
  if (/^Response timed out - message took too long to generate\s*$/.test(said)) return { kind: 'error', role: 'system' }
  return { kind: 'reply', role: 'assistant' }
}
