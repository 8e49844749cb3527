/** An error that the user can fix. Entry points print it once, with the hint as the next step. */
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

/** Whether the operating system or SQLite reported the error. */
export function isSystemError(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return typeof errcode === 'number' || (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code))
}

/** The next step for errors of the operating system and SQLite; undefined for others. */
export function hintOf(error: unknown): string | undefined {
  const { code, errcode } = error as { code?: string; errcode?: number }
  if (code === 'ENOSPC' || errcode === 13)
    return 'The disk is full. Free some space, or lower retain.soft in config.toml.'
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'RECOLLECT_HOME must be a folder.'
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || errcode === 8 || errcode === 14) {
    return 'Make the folder writable, or set RECOLLECT_HOME to another folder.'
  }
  return errcode === 5 || errcode === 6 ? 'Another process has locked the ledger. Try again later.' : undefined
}

/** Message of a failed request: `fetch failed` is useless, its cause is not. */
export function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  return messageOf(cause ?? error) || String((cause as { code?: string } | undefined)?.code ?? 'no connection')
}
