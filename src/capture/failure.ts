// A transcript that could not be captured: which, where and why.
import { isSystemError, messageOf } from '../core/errors.ts'

export interface CaptureFailure {
  path: string
  /** Byte offset of the line or part that failed. */
  offset: number
  reason: string
  /**
   * Whether the next sweep tries again. An error of the operating system or SQLite (no permission, a
   * full disk) has a cause outside of the transcript; any other error comes back until the
   * transcript changes.
   */
  isRetried: boolean
}

export function failureOf(path: string, offset: number, error: unknown): CaptureFailure {
  const isSqlite = typeof (error as { errcode?: unknown } | undefined)?.errcode === 'number'
  return { path, offset, reason: messageOf(error), isRetried: isSqlite || isSystemError(error) }
}
