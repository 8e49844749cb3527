// Calls with which an agent searches for files: its own tools, and grep, find, rg and ls in a shell.
import { commandOf } from '../core/commands.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'

export interface SearchCall {
  seq: number
  call: string
  /** The names that it looks for. */
  names: string[]
  /** What it found; empty until the result is there. */
  found: string
}

const searchTools =
  /^(?:grep|glob|rg|ripgrep|search\w*|\w*_search|file_?search|find\w*|list_(?:dir|directory|files)|codebase_search)$/i
const searchCommand = /(?:^|[|&;(]\s*|\s)(?:git\s+grep|e?grep|rg|ag|fd|find|ls)\s+([^|&;]*)/g
const maxNames = 12

/** Undefined for another call, and for a search without a name. */
export function searchIn({ seq, kind, tool = '', call, input }: StoredEvent): SearchCall | undefined {
  if (kind !== 'tool_call' || !call) return undefined
  const command = commandOf(input)
  const asked = command === '' ? askedOf(tool, input) : commandArguments(command)
  const names = namesIn(asked)
  return names.length === 0 ? undefined : { seq, call, names, found: '' }
}

function askedOf(tool: string, input: StoredEvent['input']): string {
  if (!searchTools.test(tool) || typeof input !== 'object' || input === null || Array.isArray(input)) return ''
  return [input.pattern, input.query, input.regex, input.glob, input.glob_pattern, input.Query, input.Pattern]
    .filter((value) => typeof value === 'string')
    .join(' ')
}

function commandArguments(command: string): string {
  return [...command.slice(0, 2000).matchAll(searchCommand)].map(([, words]) => words).join(' ')
}

/** Names of code and of files, without options and folders. */
function namesIn(asked: string): string[] {
  const words = asked
    .split(/[\s"'`|()[\]{}*?\\^$+,;:<>=!]+/)
    .filter((word) => !word.startsWith('-'))
    .map((word) => word.slice(word.lastIndexOf('/') + 1).replace(/^\.+|\.+$/g, ''))
    .filter((word) => /^[A-Za-z_][\w.-]{3,}$/.test(word))
  return [...new Set(words)].slice(0, maxNames)
}
