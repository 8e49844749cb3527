import * as z from 'zod'
import { evidence } from '../../core/evidence.ts'
import { itemId, permissions } from '../../sync/protocol.ts'
import { accessOf } from '../http/authorise.ts'
import { type Sharing, share, unshare } from '../http/share.ts'
import { RequestProblem } from '../problem.ts'
import { listShares, type SharedByMe } from '../store/shares.ts'
import type { Call } from './handler.ts'

export const shareInput = z.strictObject({
  id: itemId.optional().describe('the memory to share'),
  tag: z.string().min(1).max(100).optional().describe('or: share every memory of the user that has this tag'),
  with: z
    .string()
    .regex(/^(?:team|user):[a-z0-9][a-z0-9-]{0,62}$/, 'has to be team:<name> or user:<name>')
    .describe('team:<name> or user:<name>'),
  permission: z.enum(permissions).default('read').describe('write: they may change it, too'),
})

export async function shareMemory(call: Call, input: z.infer<typeof shareInput>): Promise<string> {
  const { id, tag, with: target, permission } = input
  if ((id === undefined) === (tag === undefined)) throw new RequestProblem(422, 'invalid', 'Give either "id" or "tag"')
  const subject = id === undefined ? { kind: 'tag' as const, tag: tag! } : { kind: 'memory' as const, id }
  const item = await share(sharingOf(call), { subject, with: target, permission })
  return `Shared with ${target} (${permission}) as ${item.id}. memory_unshare with this id ends it.`
}

export const unshareInput = z.strictObject({ id: itemId.describe('the share, as memory_shares gives it') })

export async function unshareMemory(call: Call, { id }: z.infer<typeof unshareInput>): Promise<string> {
  await unshare(sharingOf(call), id)
  return `${id} is no longer shared.`
}

export async function shares({ services, caller }: Call): Promise<string> {
  const { mine, withMe } = await listShares(services.database, caller)
  const lines = [
    ...mine.map(
      (one) => `[${one.id}] ${subjectOf(one)} with ${one.with}, ${one.permission}, since ${one.since.slice(0, 10)}`,
    ),
    ...withMe.map(({ user, permission, items }) => `from ${user}: ${items} (${permission})`),
  ]
  return lines.length === 0
    ? 'Nothing is shared, by you or with you.'
    : evidence({ shares: caller.user }, lines.join('\n'))
}

function subjectOf({ subject }: SharedByMe): string {
  return subject.kind === 'memory' ? `memory ${subject.id}` : `tag ${subject.tag}`
}

function sharingOf({ services, state, caller }: Call): Sharing {
  const access = accessOf(caller, 'me', { kind: 'space', role: 'writer' })
  return { services, state, access, caller }
}
