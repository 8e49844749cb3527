/** A text that an attacker controls. */
export interface HostileText {
  text: string
  /** What of it must never be told. */
  never: RegExp
  /** What was edited, for a diff. */
  file?: string
}
