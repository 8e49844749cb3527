// memory_link links two memories of the user, or removes a link. An agent cannot declare outdated
// what the user stated.
import * as z from 'zod'
import { UserError } from '../../core/errors.ts'
import { linkMemories, unlinkMemories } from '../../learn/links.ts'
import { linkTypes } from '../../memory/links.ts'
import { requireMemory } from '../lookup.ts'
import { changeContext, refreshMemoryFiles, requireOwnMemory, undoCommand } from '../store-memory.ts'
import type { ToolCall } from '../tool-result.ts'

export const memoryLinkInput = z.strictObject({
  from: z.string().min(1).max(300).describe('id of the memory that the link starts at'),
  type: z
    .enum(linkTypes)
    .describe('supersedes: "to" no longer holds. resolved-by: "to" solves it. part-of, see-also: related'),
  to: z.string().min(1).max(300).describe('id of the other memory'),
  remove: z.boolean().default(false).describe('remove the link instead'),
})

export async function memoryLink(
  call: ToolCall,
  { from, type, to, remove }: z.infer<typeof memoryLinkInput>,
): Promise<string> {
  const ends = [requireMemory(call.ledger, from), requireMemory(call.ledger, to)]
  for (const one of ends) requireOwnMemory(one, 'A user with write access can link it: recollect link')
  if (type === 'supersedes' && ends[1]!.trust === 'user said')
    throw new UserError(`The user stated ${ends[1]!.id}; only the user can change whether it holds`, wayOf(remove), 1)
  const { link, memory } = (remove ? unlinkMemories : linkMemories)(changeContext(call), { from, type, to })
  const undo = undoCommand(call, memory.id)
  const files = await refreshMemoryFiles(call)
  return `${remove ? 'Removed' : 'Linked'}: ${link.from} ${link.type} ${link.to}. The user can undo this: ${undo}${files}`
}

function wayOf(isRemoved: boolean): string {
  return `The user decides: recollect ${isRemoved ? 'unlink' : 'link'} <from> supersedes <to>`
}
