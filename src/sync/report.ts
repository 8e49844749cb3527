/** What one exchange with the server did. */
export interface SyncReport {
  pushed: number
  pulled: number
  /** Two people changed the same words at once: both are kept. */
  conflicts: number
  refused: number
}

export function nothingSynced(): SyncReport {
  return { pushed: 0, pulled: 0, conflicts: 0, refused: 0 }
}
