// Translates calls of tools that most agents have: running a command, reading, editing and writing a
// file. A call is translated only if all of its arguments have a counterpart; others stay as text.
import { commandOf } from '../commands.ts'
import type { Json } from '../session.ts'
import type { CallOutput } from './handed-over.ts'

/** Calls that agents have in common, and the arguments that mean the same in all of them. */
export type CommonCall =
  | { kind: 'shell'; command: string }
  | { kind: 'read'; path: string }
  | { kind: 'edit'; path: string; before: string; after: string }
  | { kind: 'write'; path: string; content: string }

/** An agent's names of tools and arguments. */
export interface CommonTools {
  shell: {
    tool: string
    /** Other names of the tool, in earlier versions. */
    also?: readonly string[]
    command: string
    /** The argument that names the folder to run in; another one than the session's is not translated. */
    folder?: string
    /** Arguments that only steer the client. */
    ignores: readonly string[]
    /** Arguments that the agent requires beside the command. */
    adds?: (command: string) => JsonFields
    /** How the agent reports the exit code in the text of a result. */
    result?: ShellResultForm
  }
  read?: { tool: string; path: string }
  edit?: { tool: string; path: string; before: string; after: string; ignores?: readonly string[] }
  write?: { tool: string; path: string; content: string }
}

export interface ShellResultForm {
  render(result: CallOutput): string
  /** The output alone. */
  parse(result: CallOutput): string
}

export function commonCall(tools: CommonTools, tool: string, input: Json, cwd: string | null): CommonCall | undefined {
  const given = fieldsOf(input)
  const { shell, read, edit, write } = tools
  if (tool === shell.tool || shell.also?.includes(tool)) {
    const known = [shell.command, 'command', 'cmd', shell.folder ?? '', ...shell.ignores]
    const folder = shell.folder === undefined ? undefined : given[shell.folder]
    const command = commandOf(input)
    const isHere = folder === undefined || folder === null || folder === '' || folder === cwd
    return command !== '' && isHere && hasOnly(given, known) ? { kind: 'shell', command } : undefined
  }
  const text = (name: string) => given[name] as string
  if (tool === read?.tool && isText(given, [read.path])) return { kind: 'read', path: text(read.path) }
  if (tool === write?.tool && isText(given, [write.path, write.content]))
    return { kind: 'write', path: text(write.path), content: text(write.content) }
  if (tool === edit?.tool && isText(given, [edit.path, edit.before, edit.after], edit.ignores))
    return { kind: 'edit', path: text(edit.path), before: text(edit.before), after: text(edit.after) }
  return undefined
}

/** Undefined if the agent has no such tool. */
export function nativeCall(tools: CommonTools, call: CommonCall): { tool: string; input: JsonFields } | undefined {
  const { shell, read, edit, write } = tools
  switch (call.kind) {
    case 'shell':
      return { tool: shell.tool, input: { [shell.command]: call.command, ...shell.adds?.(call.command) } }
    case 'read':
      return read && { tool: read.tool, input: { [read.path]: call.path } }
    case 'edit':
      return (
        edit && {
          tool: edit.tool,
          input: { [edit.path]: call.path, [edit.before]: call.before, [edit.after]: call.after },
        }
      )
    case 'write':
      return write && { tool: write.tool, input: { [write.path]: call.path, [write.content]: call.content } }
    default:
      return call satisfies never
  }
}

/** The text of a result as the agent writes it. */
export function nativeResult(tools: CommonTools, call: CommonCall, result: CallOutput): string {
  const text = call.kind === 'shell' ? (tools.shell.result?.render(result) ?? result.text) : result.text
  return text.trim() === '' ? noOutput : text
}

/** Some services refuse a result without text, and all of them an error without one. */
const noOutput = '(no output)'

/** The text of a result of an agent, without what it adds to the output. */
export function commonResult(tools: CommonTools, call: CommonCall, result: CallOutput): CallOutput {
  const form = call.kind === 'shell' ? tools.shell.result : undefined
  const text = form ? form.parse(result) : result.text
  return { ...result, text: text === noOutput ? '' : text }
}

function isText(given: JsonFields, names: readonly string[], ignores: readonly string[] = []): boolean {
  return names.every((name) => typeof given[name] === 'string') && hasOnly(given, [...names, ...ignores])
}

/** An argument that is switched off is not there. */
function hasOnly(given: JsonFields, names: readonly string[]): boolean {
  return Object.entries(given).every(
    ([name, value]) => names.includes(name) || value === false || value === null || value === undefined,
  )
}

type JsonFields = Record<string, Json | undefined>

function fieldsOf(input: Json): JsonFields {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {}
}
