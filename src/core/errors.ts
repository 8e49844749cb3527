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
