// Whose word a memory is, as everybody is told: what a member of a team said is not what the user said.
import type { Memory } from './memory.ts'

type Told = Pick<Memory, 'trust' | 'space' | 'author'>

/** `user said`; of a memory of others who said it, and where it lies. */
export function attributionText({ trust, space, author }: Told): string {
  if (space === null) return trust
  const who = author ?? (space === 'shared' ? 'another user' : 'a member')
  const said = trust === 'user said' ? `${who} said` : `${trust}, kept by ${who}`
  return `${spaceText(space)}, ${said}`
}

/** `team core`. */
export function spaceText(space: string): string {
  return space === 'shared' ? 'shared with the user' : space.replace(/^team:/, 'team ')
}

/** Of a memory of one's own that says the opposite of one of a team; nothing for any other. */
export function againstText({ state, space, contradicts }: Pick<Memory, 'state' | 'space' | 'contradicts'>): string {
  if (state !== 'kept' || contradicts === null) return ''
  return space === null ? `against ${contradicts} of a team` : `against ${contradicts}`
}
