/** What one exchange with the server did. */
export interface SyncReport {
  pushed: number
  pulled: number
  /** Two people changed the same words at once: both are kept. */
  conflicts: number
  refused: number
  /** What the server has lost, or has in an older version than it had: it was restored from a backup. That is sent again. */
  restored: number
}

export function nothingSynced(): SyncReport {
  return { pushed: 0, pulled: 0, conflicts: 0, refused: 0, restored: 0 }
}
