// Reads Google's content parts, which Gemini CLI and Qwen Code both write: user turns and tool
// results.
import type { EventKind, FileChange, Json, ToolError } from '../../core/session.ts'
import { diffCounts } from '../file-changes.ts'
import {
  asArray,
  asCount,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'

export function contentParts(content: Json | undefined): JsonObject[] {
  const values = Array.isArray(content) ? content : [content]
  return values.map((part) => (typeof part === 'string' ? { text: part } : asObject(part)))
}

export function partText(part: JsonObject): string {
  if (part.thought === true) return ''
  if (typeof part.text === 'string') return part.text
  const { mimeType, data } = asObject(part.inlineData)
  if (data !== undefined) return imagePlaceholder(optionalString(mimeType), asString(data))
  const file = optionalString(asObject(part.fileData).fileUri)
  return file ? `[file ${file}]` : ''
}

export interface UserTurn {
  /** The typed text. */
  said: string
  /** What the program added for the model: output of hooks, mentioned files. */
  added: string[]
}

const addedBlock = /^\s*<(hook_context|session_context|system-reminder|qwen:[\w-]+)>[\s\S]*?(?:<\/\1>\s*|$)/
const mentionedFiles = '--- Content from referenced files ---'

export function userTurn(content: JsonObject[]): UserTurn {
  const added: string[] = []
  const texts = content.map((part) => {
    let rest = partText(part)
    for (let block = addedBlock.exec(rest); block; block = addedBlock.exec(rest)) {
      added.push(block[0].trim())
      rest = rest.slice(block[0].length)
    }
    return rest
  })
  const said = texts.filter((text) => text.trim() !== '').join('\n')
  const end = said.indexOf(mentionedFiles)
  if (end >= 0) added.push(said.slice(end).trim())
  return { said: said.slice(0, end < 0 ? undefined : end).trim(), added }
}

/** Texts that the program sends with the user's role. */
const machineText =
  /^(?:<(?:hook_context|session_context|system-reminder|task-notification|qwen:)|This is the (?:Gemini CLI|Qwen Code)\. We are setting up|Here is (?:the user's|a summary of changes in the user's) editor context|System: (?:Please continue|Potential loop)|Please continue\.$)/

/** The model may think aloud before its summary (seen in June 2026). */
const summaryText = /^(?:<scratchpad>[\s\S]*?<\/scratchpad>\s*)?<(?:state_snapshot|compressed_chat_history)>/

export function userKind(said: string): EventKind {
  if (summaryText.test(said)) return 'compaction'
  if (machineText.test(said)) return 'context'
  if (shellLine(said)) return 'shell'
  return /^(?:\/[\w:-]+(?:\s|$)|\?$)/.test(said) ? 'command' : 'prompt'
}

/** The line that the user ran with `!`; the model gets it as a sentence. */
export function shellLine(said: string): string | undefined {
  return /^I ran the following shell command:\s*```\w*\n([\s\S]*?)\n```/.exec(said)?.[1]
}

export interface ToolOutcome {
  text: string
  error?: ToolError
  exit?: number
}

export interface ToolResponse {
  call: string
  tool: string
  result: JsonObject[]
  status: string
  errorType?: string
}

export function toolOutcome({ call, tool, result, status, errorType }: ToolResponse): ToolOutcome {
  const responses = result.filter((part) => part.functionResponse !== undefined)
  // The results of one turn are sometimes stored together with each of its calls.
  const own = responses.length > 1 ? responses.filter((part) => asObject(part.functionResponse).id === call) : result
  const said = own.map(resultText).filter(Boolean).join('\n')
  const hasError = own.some((part) => asObject(asObject(part.functionResponse).response).error !== undefined)
  const exit = /shell|command/.test(tool) ? exitCode(said) : undefined
  return { text: said, exit, error: errorKind(status, `${errorType ?? ''} ${said}`, hasError || (exit ?? 0) !== 0) }
}

function resultText(part: JsonObject): string {
  const answer = asObject(part.functionResponse)
  if (part.functionResponse === undefined) return partText(part)
  const { output, error, ...rest } = asObject(answer.response)
  const said = optionalString(output) ?? optionalString(error) ?? optionalString(asObject(error).message)
  const other = said === undefined && Object.keys(rest).length > 0 ? withoutBinary(JSON.stringify(rest)) : ''
  return [said ?? other, ...asArray(answer.parts).map((inner) => partText(asObject(inner)))].filter(Boolean).join('\n')
}

function withoutBinary(source: string): string {
  return source.replace(/[A-Za-z0-9+/]{400,}={0,2}/g, (data) => imagePlaceholder(undefined, data))
}

/** From the last lines of shell output; a failed command is still a successful call. */
function exitCode(said: string): number | undefined {
  const codes = [...said.slice(-2000).matchAll(/\bExit Code: (-?\d+)/g)]
  return codes.length > 0 ? Number(codes.at(-1)![1]) : undefined
}

function errorKind(status: string, said: string, hasFailed: boolean): ToolError | undefined {
  const start = said.slice(0, 400)
  if (status === 'cancelled') {
    if (/did not allow|declined|denied|rejected/i.test(start)) return 'denied'
    return /user cancell?ed|cancell?ed by (?:the )?user|abort/i.test(start) ? 'interrupted' : 'cancelled'
  }
  if (status !== 'error' && !hasFailed) return undefined
  return status === 'error' &&
    /execution_denied|policy_violation|denied by policy|permission was (?:declined|denied)/i.test(start)
    ? 'denied'
    : 'failed'
}

const editTools = new Set(['replace', 'edit', 'smart_edit', 'write_file'])

/** The change of a successful call, from the diff that it showed, or else from its input. */
export function changedFiles(
  tool: string,
  input: Json | undefined,
  display: Json | undefined,
  said: string,
): FileChange[] {
  const shown = asObject(display)
  const asked = asObject(input)
  const isShown = typeof shown.fileDiff === 'string'
  if (!isShown && !editTools.has(tool)) return []
  const path =
    optionalString(shown.filePath) ??
    optionalString(asked.file_path) ??
    optionalString(asked.path) ??
    optionalString(shown.fileName)
  if (!path) return []
  const isNew = isShown ? !optionalString(shown.originalContent) : /\bnew file\b|^created/i.test(said)
  return [{ path, change: isNew ? 'add' : 'update', ...(isShown ? changedLines(shown) : {}) }]
}

function changedLines(shown: JsonObject): { added?: number; removed?: number } {
  const stat = asObject(shown.diffStat)
  if (shown.fileDiffTruncated === true) {
    return shown.diffStat === undefined
      ? {}
      : { added: asCount(stat.model_added_lines), removed: asCount(stat.model_removed_lines) }
  }
  return diffCounts(asString(shown.fileDiff))
}
