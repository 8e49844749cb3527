/** Something the user must act on: printed once, at the door, with the next step. */
export class UserError extends Error {
  readonly hint: string
  readonly exitCode: number
  constructor(message: string, hint: string, exitCode = 2) {
    super(message)
    this.name = 'UserError'
    this.hint = hint
    this.exitCode = exitCode
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What the operating system or SQLite refused, in words that say what to do; undefined for anything else. */
export function hintOf(error: unknown): string | undefined {
  const { code, errcode } = error as { code?: string; errcode?: number }
  if (code === 'ENOSPC' || errcode === 13)
    return 'The disk is full. Free some space, or lower retain.soft in config.toml.'
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'RECOLLECT_HOME must be a folder.'
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || errcode === 8 || errcode === 14) {
    return 'Make the folder writable for you, or set RECOLLECT_HOME to another one.'
  }
  return errcode === 5 || errcode === 6 ? 'Another process holds the ledger. Try again when it is done.' : undefined
}

/** Of a request that did not get through: `fetch failed` says nothing, its cause does. */
export function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  return messageOf(cause ?? error) || String((cause as { code?: string } | undefined)?.code ?? 'no connection')
}
