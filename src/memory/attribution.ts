// States who said a memory. The words of a team member are never shown as the user's.
import type { Memory } from './memory.ts'

type AttributionFields = Pick<Memory, 'trust' | 'space' | 'author'>

/** `user said`; for a memory of others also its author and space. */
export function attributionText({ trust, space, author }: AttributionFields): string {
  if (space === null) return trust
  const who = author ?? (space === 'shared' ? 'another user' : 'a member')
  const said = trust === 'user said' ? `${who} said` : `${trust}, kept by ${who}`
  return `${spaceText(space)}, ${said}`
}

/** `team core`. */
export function spaceText(space: string): string {
  return space === 'shared' ? 'shared with the user' : space.replace(/^team:/, 'team ')
}

/** A note for an own memory that contradicts one of a team; empty for all others. */
export function againstText({ state, space, contradicts }: Pick<Memory, 'state' | 'space' | 'contradicts'>): string {
  if (state !== 'kept' || contradicts === null) return ''
  return space === null ? `against ${contradicts} of a team` : `against ${contradicts}`
}
