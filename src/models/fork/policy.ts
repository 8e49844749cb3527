// What the forked judge may do with the tools of its session. Fewer tools would change the prompt
// and miss the cache, so every call is checked here and denied unless it is listed.
import { isInsideFolders } from './path-containment.ts'
import { shellObjection } from './read-only-shell.ts'

export interface ForkScope {
  /** Base of relative paths. */
  cwd: string
  /** Folders that it may read. */
  readable: readonly string[]
  /** The only folder that it may write to. */
  staging: string
}

export type ToolPermission = { kind: 'allow' } | { kind: 'deny'; reason: string }

export function permit(tool: string, input: unknown, territory: ForkScope): ToolPermission {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return deny('its input is no object')
  const fields = input as Record<string, unknown>
  switch (tool) {
    case 'Read':
      return permitReading(fields.file_path, territory)
    case 'LS':
      return permitReading(fields.path, territory)
    case 'Glob':
      return isPatternBelow(fields.pattern) ? permitReading(fields.path ?? '.', territory) : deny(outside)
    case 'Grep':
      return isPatternBelow(fields.glob ?? '') ? permitReading(fields.path ?? '.', territory) : deny(outside)
    case 'Write':
    case 'Edit':
      return permitWriting(fields, territory)
    case 'Bash':
      return permitShell(fields, territory)
    default:
      return deny(`${tool} is not for this task`)
  }
}

const outside = 'only what lies in the project may be read'
const maxWritten = 20_000

function permitReading(path: unknown, { readable, cwd }: ForkScope): ToolPermission {
  return isInsideFolders(path, readable, cwd) ? { kind: 'allow' } : deny(outside)
}

/** Globs and their alternatives may begin anywhere in the file system. */
function isPatternBelow(pattern: unknown): boolean {
  return typeof pattern === 'string' && !/\.\.|\\|(?:^|[!{,(|])\s*[~/]|^\s|^[A-Za-z]:/.test(pattern)
}

function permitWriting(
  { file_path, content, new_string }: Record<string, unknown>,
  { staging }: ForkScope,
): ToolPermission {
  if (!isInsideFolders(file_path, [staging])) return deny(`files may be written in ${staging} only`)
  const text = content ?? new_string
  if (typeof text !== 'string' || text.length > maxWritten) return deny('a memory is a short text')
  return { kind: 'allow' }
}

/** Unknown fields may run the command in the background or outside of the sandbox. */
function permitShell(
  { command, description, timeout, ...others }: Record<string, unknown>,
  at: ForkScope,
): ToolPermission {
  if (Object.values(others).some((value) => value !== undefined && value !== false)) return deny('only a plain command')
  if (typeof command !== 'string') return deny('its command is no text')
  const objection = shellObjection(command, { cwd: at.cwd, folders: at.readable })
  return objection === undefined ? { kind: 'allow' } : deny(`the shell is for reading: ${objection}`)
}

function deny(reason: string): ToolPermission {
  return { kind: 'deny', reason }
}
