// Reads tool calls of Antigravity and their results: arguments, changed files, and the words in
// which a result says that it failed.
import type { FileChange, Json, ToolError } from '../../core/session.ts'
import { lineCount, pathOfUri } from '../file-changes.ts'
import { asArray, asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'

/** Models may write the name of the namespace, too (reports of 2026). */
export function toolName(name: Json | undefined): string {
  return asString(name).replace(/^default_api[:.]/, '')
}

/**
 * Every value is JSON inside a string, which is cut off if it is long. Some builds write plain values
 * (reports of 2026), where a text that happens to be JSON must stay a text.
 */
export function callArguments(args: Json | undefined): JsonObject {
  const given = asObject(args)
  const texts = Object.entries(given).filter((field): field is [string, string] => typeof field[1] === 'string')
  if (texts.length < Object.keys(given).length) return given
  const fields = texts.map(([name, text]) => ({ name, text, parsed: parseJson(text) }))
  const isEncoded =
    fields.some(({ text }) => text.startsWith('"')) || fields.every(({ parsed }) => parsed !== undefined)
  return isEncoded
    ? Object.fromEntries(fields.map(({ name, text, parsed }) => [name, parsed === undefined ? text : parsed]))
    : given
}

/** The change that a call plans. A cut transcript may have lost the name of the file. */
export function plannedChanges(tool: string, args: JsonObject): FileChange[] {
  const path = optionalString(args.TargetFile)
  if (!path || !editTools.has(tool)) return []
  const chunks = asArray(args.ReplacementChunks).map(asObject)
  const parts = chunks.length > 0 ? chunks : [args]
  const lines = (name: string) => parts.reduce((sum, part) => sum + lineCount(asString(part[name])), 0)
  const isReplaced = tool.includes('replace')
  const counts = isReplaced
    ? { added: lines('ReplacementContent'), removed: lines('TargetContent') }
    : { added: lineCount(asString(args.CodeContent)) }
  return [{ path: pathOfUri(path), change: isReplaced || args.Overwrite === true ? 'update' : 'add', ...counts }]
}

const editTools = new Set(['write_to_file', 'write_file', 'replace_file_content', 'multi_replace_file_content'])

/** Whether a step of this type is the result of a tool; the first word of both is usually the same. */
export function isResultOf(type: string, tool: string): boolean {
  if (type === 'CODE_ACTION') return editTools.has(tool)
  if (type === 'LIST_DIRECTORY') return tool === 'list_dir'
  if (type === 'FIND') return tool === 'find_by_name'
  return type.toLowerCase() === tool
}

/** Results that were seen, or are named in the sources of readers, without the call before them. */
export function isKnownResult(type: string): boolean {
  return type.startsWith('BROWSER_') || knownResults.has(type)
}

const knownResults = new Set(
  `RUN_COMMAND VIEW_FILE LIST_DIRECTORY FIND CODE_ACTION GREP_SEARCH SEARCH_WEB READ_URL_CONTENT INVOKE_SUBAGENT
   GENERIC GENERATE_IMAGE MCP_TOOL`.split(/\s+/),
)

export interface StepOutcome {
  text: string
  error?: ToolError
  exit?: number
}

/**
 * The client says in words how a call ended, on the first line after two times. Builds of 2026 repeat
 * an error in a field of its own, which may be all that there is.
 */
export function outcomeOf({ content, error, status }: JsonObject): StepOutcome {
  const printed = asString(content)
    .replace(/^(?:(?:Created|Completed) At: .*\n)+\s*/, '')
    .replace(/\n\t+(Output|Stdout|Stderr):\n\t*/g, '\n$1:\n')
  const text = printed.trim() ? printed : asString(error)
  const first = text.slice(0, 300).split('\n', 1)[0]!
  const code = /^The command (?:failed|exited|finished|completed)\b.*? exit code:? (-?\d+)/.exec(first)?.[1]
  const exit = code === undefined ? (/^The command completed successfully/.test(first) ? 0 : undefined) : Number(code)
  return { text, exit, error: errorOf(text, first, asString(status), exit) }
}

/** What the client answers to a call that it cannot read or may not carry out (reports of 2026). */
export function isRefusedCall(text: string): boolean {
  return /^(?:Error invalid tool call|There was a problem parsing the tool call)/.test(text)
}

/** Only failed commands were seen; the other words are those of reports. */
function errorOf(text: string, first: string, status: string, exit: number | undefined): ToolError | undefined {
  if (/cancel|interrupt|halt/i.test(status)) return 'interrupted'
  if (deniedPattern.test(first) || deniedPermission.test(text)) return 'denied'
  if (/error|fail/i.test(status) || (exit !== undefined && exit !== 0)) return 'failed'
  if (isRefusedCall(first)) return /\bdenied\b/.test(first) ? 'denied' : 'failed'
  return /^(?:Encountered (?:an )?error|Error:|Failed to|The command failed)/i.test(first) ? 'failed' : undefined
}

/** The command, which may have lines, is quoted between the two parts. */
const deniedPermission =
  /^(?:Encountered (?:an )?error in step execution: )?permission check failed for [\s\S]{0,5000}?: user denied permission\b/

const deniedPattern =
  /^(?:The )?user (?:has )?(?:denied|rejected|declined)\b|^(?:Permission|Tool|(?:The )?command)\b.{0,80}\b(?:denied|rejected|declined) by (?:the )?user/i
