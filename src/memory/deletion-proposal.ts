// Neither an agent nor a rule may delete what the user said. The request is a memory in the inbox that names the
// other in `contradicts` and has a tag of its own, so that it syncs like any memory; a person
// accepts or refuses it.
import { truncate } from '../text/truncate.ts'
import { type Memory, maxMemoryLength } from './memory.ts'

export const deletionTag = 'proposes-deletion'

/** Also after it was decided; then it is forgotten. */
export function proposesDeletion({
  state,
  tags,
  contradicts,
}: Pick<Memory, 'state' | 'tags' | 'contradicts'>): boolean {
  return state !== 'kept' && contradicts !== null && tags.includes(deletionTag)
}

export function deletionProposalText(text: string, isUsers: boolean): string {
  return truncate(`${isUsers ? 'You seem to take this back' : 'An agent asks to forget'}: ${text}`, maxMemoryLength)
}
