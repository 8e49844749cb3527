// Tools that store, change, delete and share memories. Agents write to the user's own space only;
// team memories are changed by people.
import * as z from 'zod'
import { type Clock, isoTime } from '../../core/clock.ts'
import { wrapEvidence } from '../../gate/evidence.ts'
import { deletionProposalText, deletionTag } from '../../memory/deletion-proposal.ts'
import { excluded } from '../../memory/exclusions.ts'
import { linkTypes } from '../../memory/links.ts'
import { memoryStoreArguments, memoryUpdateArguments, memoryUpdateHint } from '../../memory/schema.ts'
import { type ItemDocument, itemId, permissions, type SyncItem } from '../../sync/protocol.ts'
import { truncate } from '../../text/truncate.ts'
import { authorise } from '../http/authorise.ts'
import { applyMemoryChanges, type MemoryChanges, newMemory, newMemoryId } from '../http/memory-input.ts'
import {
  deleteShare,
  requireItem,
  type ShareContext,
  type WriteContext,
  type WriteResult,
  writeItem,
  writeShare,
} from '../http/write-item.ts'
import { addLink, removeLink } from '../push/link-memories.ts'
import { RequestProblem } from '../request-problem.ts'
import { listShares, type OutgoingShare } from '../store/shares.ts'
import type { McpCall } from './context.ts'
import { memoryLine, parseMemory } from './memory-text.ts'

export const storeInput = z.strictObject({
  ...memoryStoreArguments,
  project: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('the project it applies to, such as github.com/owner/name (default: all projects)'),
})

export async function storeMemory(call: McpCall, input: z.infer<typeof storeInput>): Promise<string> {
  checkExclusions(input)
  const document = newMemory({ ...input, trust: 'agent said' }, call.services.clock)
  return resultText(call, await addMemory(call, document))
}

export const updateInput = z.strictObject({
  id: itemId.describe('id of the memory that is no longer correct'),
  ...memoryUpdateArguments,
})

export async function updateMemory(call: McpCall, { id, ...changes }: z.infer<typeof updateInput>): Promise<string> {
  if (Object.keys(changes).length === 0) throw new RequestProblem(422, 'invalid', memoryUpdateHint)
  const writing = ownSpace(call)
  const item = await requireItem(writing, 'memory', id)
  const old = parseMemory(item)
  if (old.state === 'inbox')
    throw new RequestProblem(409, 'inbox', `${id} is in the inbox; the user has to decide about it first`)
  if (old.supersededBy)
    throw new RequestProblem(409, 'superseded', `${id} is superseded by ${old.supersededBy}`, 'Update that one.')
  checkExclusions({ text: old.text, ...changes })
  if (old.trust === 'user said') {
    await addMemory(call, inboxVersion(item, changes, call.services.clock))
    return `The user stated ${id}, so it is unchanged. Your version is in the inbox. The user decides: recollect inbox`
  }
  const document = { ...applyMemoryChanges(item.document!, changes), ...agentAttribution(call.services.clock) }
  const written = await writeItem(writing, { id, kind: 'memory', base: item, document })
  if (written.kind !== 'stored') return resultText(call, written)
  return `Updated ${id}, attributed to an agent.`
}

export const deleteInput = z.strictObject({ id: itemId.describe('id of the memory that the user wants forgotten') })

export async function deleteMemory(call: McpCall, { id }: z.infer<typeof deleteInput>): Promise<string> {
  const writing = ownSpace(call)
  const item = await requireItem(writing, 'memory', id)
  const old = parseMemory(item)
  if (old.trust === 'user said') {
    if (old.state === 'inbox')
      throw new RequestProblem(409, 'inbox', `${id} is in the inbox; the user has to decide about it first`)
    const text = deletionProposalText(old.text, false)
    const proposal = inboxVersion(item, { text, why: null, apply: null, tags: [deletionTag] }, call.services.clock)
    await addMemory(call, proposal)
    return `The user stated ${id}, so it stays. Your request to forget it is in the inbox. The user decides: recollect inbox`
  }
  const written = await writeItem(writing, { id, kind: 'memory', base: item, document: null })
  return written.kind === 'stored' ? `Forgot ${id}.` : resultText(call, written)
}

export const linkInput = z.strictObject({
  from: itemId.describe('id of the memory that the link starts at'),
  type: z
    .enum(linkTypes)
    .describe('supersedes: "to" no longer holds. resolved-by: "to" solves it. part-of, see-also: related'),
  to: itemId.describe('id of the other memory'),
  remove: z.boolean().default(false).describe('remove the link instead'),
})

export async function linkMemories(call: McpCall, { remove, ...link }: z.infer<typeof linkInput>): Promise<string> {
  const writing = ownSpace(call)
  const { document } = await requireItem(writing, 'memory', link.to)
  if (link.type === 'supersedes' && document!.trust === 'user said')
    throw new RequestProblem(
      403,
      'user_said',
      `The user stated ${link.to}; only the user can change whether it holds`,
      `The user decides: recollect ${remove ? 'unlink' : 'link'} <from> supersedes <to>`,
    )
  await (remove ? removeLink : addLink)(call.services, writing.access, link)
  return `${remove ? 'Removed' : 'Linked'}: ${link.from} ${link.type} ${link.to}.`
}

function ownSpace({ services, state, caller }: McpCall): WriteContext {
  return { services, state, access: authorise(caller, 'me', { kind: 'space', role: 'writer' }) }
}

/** An updated memory is attributed to the agent. */
function agentAttribution(clock: Clock): ItemDocument {
  return { trust: 'agent said', confirmedAt: isoTime(clock.nowMs()) }
}

/** A new inbox memory beside the one that it would change. */
function inboxVersion(item: SyncItem, changes: MemoryChanges, clock: Clock): ItemDocument {
  const document = { ...applyMemoryChanges(item.document!, changes), ...agentAttribution(clock) }
  const at = document.confirmedAt!
  const evidence = [{ session: null, event: null, quote: document.text! }]
  return {
    ...document,
    evidence,
    learnedAt: at,
    validFrom: at,
    said: 1,
    version: 1,
    state: 'inbox',
    contradicts: item.id,
  }
}

/** Instructions to the reader are excluded in every field. */
function checkExclusions({
  text,
  why,
  apply,
  tags,
}: Pick<z.infer<typeof storeInput>, 'text' | 'why' | 'apply' | 'tags'>): void {
  const parts = [why, apply, tags?.join(' ')].filter((part) => part !== undefined)
  const reasons = [
    excluded({ text, trust: 'agent said' }),
    ...parts.map((part) => excluded({ text: `${truncate(text, 300)} ${truncate(part, 1000)}`, trust: 'user said' })),
  ]
  const reason = reasons.find((one) => one !== undefined)
  if (reason)
    throw new RequestProblem(422, 'excluded', `Not stored: ${reason}`, 'Skip it, or store only the lasting part.')
}

function addMemory(call: McpCall, document: ItemDocument): Promise<WriteResult> {
  return writeItem(ownSpace(call), { id: newMemoryId(), kind: 'memory', base: null, document })
}

function resultText({ services }: McpCall, written: WriteResult): string {
  switch (written.kind) {
    case 'stored':
      return `Stored as ${written.item!.id}, attributed to an agent.`
    case 'duplicate': {
      const line = memoryLine({ space: 'me', ...written.of }, services.clock)
      return `Already known, nothing was changed:\n${wrapEvidence({ memory: written.of.id }, line)}`
    }
    case 'conflict':
      throw new RequestProblem(
        409,
        'conflict',
        'Another client has changed it in the meantime',
        'Read it again: memory_get.',
      )
    default:
      throw written satisfies never
  }
}

export const shareInput = z.strictObject({
  id: itemId.optional().describe('id of the memory to share'),
  tag: z.string().min(1).max(100).optional().describe('instead of id: share all memories of the user with this tag'),
  with: z
    .string()
    .regex(/^(?:team|user):[a-z0-9][a-z0-9-]{0,62}$/, 'must be team:<name> or user:<name>')
    .describe('team:<name> or user:<name>'),
  permission: z.enum(permissions).default('read').describe('write: they may also change it'),
})

export async function shareMemory(call: McpCall, input: z.infer<typeof shareInput>): Promise<string> {
  const { id, tag, with: target, permission } = input
  if ((id === undefined) === (tag === undefined)) throw new RequestProblem(422, 'invalid', 'Pass either "id" or "tag"')
  const subject = id === undefined ? { kind: 'tag' as const, tag: tag! } : { kind: 'memory' as const, id }
  const item = await writeShare(shareContextOf(call), { subject, with: target, permission })
  const { mine } = await listShares(call.services.database, call.caller)
  const waiting = mine.some((one) => one.id === item.id && !one.isAccepted) ? ' They see it once they accept it.' : ''
  return `Shared with ${target} (${permission}) as ${item.id}.${waiting} To end it: memory_unshare with this id.`
}

export const unshareInput = z.strictObject({ id: itemId.describe('id of the share, from memory_shares') })

export async function unshareMemory(call: McpCall, { id }: z.infer<typeof unshareInput>): Promise<string> {
  await deleteShare(shareContextOf(call), id)
  return `Ended the share ${id}.`
}

export async function listAllShares({ services, caller }: McpCall): Promise<string> {
  const { mine, withMe, received } = await listShares(services.database, caller)
  const pending = received.filter(({ state }) => state === 'pending').length
  const lines = [
    ...mine.map(
      (one) =>
        `[${one.id}] ${subjectOf(one)} with ${one.with}, ${one.permission}, since ${one.since.slice(0, 10)}${one.isAccepted ? '' : ', not accepted'}`,
    ),
    ...withMe.map(({ user, permission, items }) => `from ${user}: ${items} (${permission})`),
    // Names and tags of others are not for an agent before the user has accepted them.
    ...(pending > 0 ? [`${pending} waiting for the user: recollect share received`] : []),
  ]
  return lines.length === 0
    ? 'Nothing is shared by the user or with the user.'
    : wrapEvidence({ shares: caller.user }, lines.join('\n'))
}

function subjectOf({ subject }: OutgoingShare): string {
  return subject.kind === 'memory' ? `memory ${subject.id}` : `tag ${subject.tag}`
}

function shareContextOf({ services, state, caller }: McpCall): ShareContext {
  const access = authorise(caller, 'me', { kind: 'space', role: 'writer' })
  return { services, state, access, caller }
}
