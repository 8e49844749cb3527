// Names and arguments of the tools of Copilot Chat, and the text of their results.
import type { Event, FileChange, Json } from '../../core/session.ts'
import { lineCount, patchChanges } from '../file-changes.ts'
import {
  asArray,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'

/** Calls get a suffix inside the editor that the model, transcripts and traces do not know. */
export function callId(id: Json | undefined): string {
  return asString(id).replace(/__vscode-\d+$/, '')
}

/** Arguments are JSON in a text. */
export function inputOf(given: Json | undefined): Json {
  return typeof given === 'string' ? (parseJson(given) ?? given) : (given ?? {})
}

export function changesOf(tool: string, input: Json, cwd: string | undefined): FileChange[] {
  const given = asObject(input)
  const path = optionalString(given.filePath)
  switch (tool) {
    case 'apply_patch':
      return patchChanges(typeof input === 'string' ? input : asString(given.input), cwd)
    case 'create_file':
      return path ? [{ path, change: 'add', added: lineCount(asString(given.content)), removed: 0 }] : []
    case 'replace_string_in_file':
      return replacements([given])
    case 'multi_replace_string_in_file':
      return replacements(asArray(given.replacements).map(asObject))
    case 'insert_edit_into_file': // its code leaves out unchanged lines
    case 'edit_notebook_file':
      return path ? [{ path, change: 'update' }] : []
    default:
      return []
  }
}

function replacements(edits: JsonObject[]): FileChange[] {
  const files = new Map<string, Required<FileChange>>()
  for (const edit of edits) {
    const path = asString(edit.filePath)
    const file = files.get(path) ?? { path, change: 'update', added: 0, removed: 0 }
    file.added += lineCount(asString(edit.newString))
    file.removed += lineCount(asString(edit.oldString))
    if (path) files.set(path, file)
  }
  return [...files.values()]
}

/** What an edit says that took place, also beside a part that failed. */
const confirmation = /successfully edited|applied successfully|^File created at|^Applied patch/m

export type ResultOutcome = Pick<Event, 'text' | 'error' | 'exit'>

/** A result, with what the view shows of its call. */
export function outcomeOf(text: string, shown: JsonObject | undefined): ResultOutcome {
  const state = asObject(asObject(shown?.toolSpecificData).terminalCommandState)
  const printed = /(?:^|\n)Command exited with code (\d+)/.exec(text)?.[1]
  const exit = typeof state.exitCode === 'number' ? state.exitCode : printed ? Number(printed) : undefined
  if (isRefused(shown) || text.startsWith('The user chose to skip the tool call')) return { text, error: 'denied' }
  if (text.startsWith('The user cancelled the tool call')) return { text, error: 'cancelled' }
  return { text, exit, error: isFailure(text) || (exit !== undefined && exit !== 0) ? 'failed' : undefined }
}

export function isConfirmed(text: string): boolean {
  return text === '' || confirmation.test(text)
}

function isFailure(text: string): boolean {
  return (
    /^(?:ERROR while calling tool|Applying patch failed|ERROR:)/.test(text) ||
    text.endsWith('Please check your input and try again.')
  )
}

/** 0: denied, 5: skipped; before 1.104 a boolean. */
function isRefused(shown: JsonObject | undefined): boolean {
  const { type } = asObject(shown?.isConfirmed)
  return type === 0 || type === 5 || shown?.isConfirmed === false
}

/**
 * Content of a result: texts, data, and trees of rendered elements, whose names differ with every
 * version.
 */
export function resultText(result: Json | undefined): string {
  return asArray(asObject(result).content)
    .map((value) => {
      const part = asObject(value)
      if (typeof part.value === 'string') return part.value
      if (optionalString(part.mimeType)) return imagePlaceholder(asString(part.mimeType), '')
      return treeText(asObject(part.value).node)
    })
    .filter(Boolean)
    .join('\n')
    .trim()
}

export function treeText(tree: Json | undefined): string {
  let text = ''
  const visit = (value: Json | undefined): void => {
    const node = asObject(value)
    if (typeof node.text === 'string') {
      if (node.lineBreakBefore === true && text !== '' && !text.endsWith('\n')) text += '\n'
      text += node.text
    }
    for (const child of asArray(node.children)) visit(child)
  }
  visit(tree)
  return text
}
