import type { Json } from '../core/session.ts'

/** Whether an item of a list was put there by us, in this form or an older one. */
export type IsOurs = (item: Json) => boolean

/**
 * Ours is what runs our command and nothing else: `{ command }` as well as a group around it. A group into which the user
 * has put a command of their own is not; the lists in it are looked through for ours.
 */
export function runsOnly(isOurCommand: (command: string) => boolean): IsOurs {
  const isOurs = (value: Json | undefined): boolean => {
    if (typeof value === 'string') return isOurCommand(value)
    if (Array.isArray(value)) return value.length > 0 && value.every(isOurs)
    return typeof value === 'object' && value !== null && Object.values(value).some(isOurs)
  }
  return isOurs
}
