// memory_store, memory_update and memory_delete. An update stores a new memory that supersedes the
// old one, which stays as history. What the user said is changed by the user alone: an update or a
// deletion of it is a proposal in the inbox.
import * as z from 'zod'
import { UserError } from '../../core/errors.ts'
import { forget, proposeDeletion } from '../../learn/change.ts'
import type { Memory } from '../../memory/memory.ts'
import { memoryStoreArguments, memoryUpdateArguments, memoryUpdateHint } from '../../memory/schema.ts'
import { shortLine } from '../../text/truncate.ts'
import { requestedProject } from '../client-project.ts'
import { requireMemory } from '../lookup.ts'
import { changeContext, refreshMemoryFiles, requireOwnMemory, storeAgentMemory, undoCommand } from '../store-memory.ts'
import type { ToolCall } from '../tool-result.ts'

export const memoryStoreInput = z.strictObject({
  ...memoryStoreArguments,
  project: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('a project by its name, identity or folder (default: the project you work in)'),
  everywhere: z.boolean().default(false).describe('it applies to all projects'),
  team: z.string().max(100).optional().describe('a team cannot be written to: what you store is for the user alone'),
})

export async function memoryStore(call: ToolCall, input: z.infer<typeof memoryStoreInput>): Promise<string> {
  if (input.everywhere && input.project !== undefined)
    throw new UserError('"everywhere" and "project" cannot be combined', 'Give one of them.')
  const project = input.everywhere ? null : requestedProject(call, input.project)
  if (project === undefined) throw new UserError('The project is unknown', 'Give "project", or "everywhere": true.')
  const { team, ...wish } = input
  const kept = await storeAgentMemory(call, { ...wish, project })
  if (team === undefined) return kept
  const name = team.replace(/^team:/, '')
  return `${kept}\nIt was not shared with the team: an agent cannot do that. The user can: recollect share <id> --with team:${shortLine(name, 60)}`
}

export const memoryUpdateInput = z.strictObject({
  id: z.string().min(1).max(100).describe('id of the memory that is no longer correct'),
  ...memoryUpdateArguments,
})

export async function memoryUpdate(
  call: ToolCall,
  { id, ...changes }: z.infer<typeof memoryUpdateInput>,
): Promise<string> {
  const old = requireMemory(call.ledger, id)
  if (Object.keys(changes).length === 0) throw new UserError('Nothing to update', `${memoryUpdateHint}.`)
  requireNoCandidate(old)
  requireOwnMemory(old, 'To store it for this user only: memory_store')
  requireDecided(old)
  if (old.supersededBy) throw new UserError(`${old.id} was superseded by ${old.supersededBy}`, 'Update that one.', 1)
  const { text, kind, type, status, why, apply, tags, importance, project } = old
  const kept = { text, kind, type, status, tags, importance, ...(why ? { why } : {}), ...(apply ? { apply } : {}) }
  return storeAgentMemory(call, { ...kept, ...changes, project, supersedes: old.id })
}

export const memoryDeleteInput = z.strictObject({
  id: z.string().min(1).max(100).describe('id of the memory that the user wants forgotten'),
})

export async function memoryDelete(call: ToolCall, { id }: z.infer<typeof memoryDeleteInput>): Promise<string> {
  const named = requireMemory(call.ledger, id)
  requireNoCandidate(named)
  requireOwnMemory(named, `The user can forget it for all members: recollect forget ${named.id}`)
  if (named.trust === 'user said') {
    requireDecided(named)
    const { id: proposal } = proposeDeletion(changeContext(call), named, call.source)
    const files = await refreshMemoryFiles(call)
    return `${named.id} is what the user said, so it stays. Your request to forget it is in the inbox as ${proposal}. Ask the user to run: recollect inbox ${proposal} accept (or refuse)${files}`
  }
  const memory = forget(changeContext(call), named.id)
  const undo = undoCommand(call, memory.id)
  const files = await refreshMemoryFiles(call)
  return `${memory.id} is forgotten and will not be learned again. The user can undo this: ${undo}${files}`
}

/** Nobody has confirmed it, so there is nothing to change or to forget yet. */
function requireNoCandidate({ id, state }: Memory): void {
  if (state !== 'candidate') return
  throw new UserError(`${id} is a candidate`, 'When the user confirms or rejects it: memory_review', 1)
}

function requireDecided({ id, state }: Memory): void {
  if (state !== 'inbox') return
  throw new UserError(`${id} is in the inbox and waits for the user`, 'The user decides with: recollect inbox', 1)
}
