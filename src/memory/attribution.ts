// States who said a memory. The words of a team member are never shown as the user's.
import type { Memory } from './memory.ts'

type AttributionFields = Pick<Memory, 'trust' | 'space' | 'author'> & Partial<Pick<Memory, 'because'>>

/** `user said`; for a memory of others also its author and space. */
export function attributionText({ trust, space, author, because }: AttributionFields): string {
  const voice = because === 'run' ? 'agent found, confirmed by a passing run' : trust
  if (space === null) return voice
  const who = author ?? (space === 'shared' ? 'another user' : 'a member')
  const said = trust === 'user said' ? `${who} said` : `${voice}, kept by ${who}`
  return `${spaceText(space)}, ${said}`
}

/** The same, with who kept what the user did not say. */
export function originText(memory: AttributionFields & Pick<Memory, 'because'>): string {
  const isByModel = memory.because === 'model' && memory.trust !== 'user said'
  return `${attributionText(memory)}${isByModel ? ', kept by a model' : ''}`
}

/** Who decided that it is worth remembering; `user` is "you" where the user reads it. */
export function becauseText(
  { because, space, evidence }: Pick<Memory, 'because' | 'space' | 'evidence'>,
  user: 'you' | 'the user',
): string {
  switch (because) {
    case 'rules':
      return 'found by rules, nobody has confirmed it'
    case 'model':
      return 'a model kept it'
    case 'person':
      return `${user} wrote or confirmed it`
    case 'agent':
      return 'the agent saved it'
    case 'import': {
      const source = space === null ? evidence.find(({ file }) => file)?.file : spaceText(space)
      return source ? `imported from ${source}` : 'imported'
    }
    case 'run':
      return 'a passing run confirmed it'
    default:
      return because satisfies never
  }
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
