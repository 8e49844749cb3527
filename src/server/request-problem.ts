/** What a request is refused with. The door makes the answer of it; nothing of what was sent is repeated in it. */
export class RequestProblem extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string | undefined

  constructor(status: number, code: string, message: string, hint?: string) {
    super(message)
    this.status = status
    this.code = code
    this.hint = hint
  }
}
