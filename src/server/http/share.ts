// Sharing on behalf of a caller: a share is an item of their own space, like those that their machines push.
import type { ShareDocument } from '../../sync/documents.ts'
import { shareIdOf } from '../../sync/identity.ts'
import type { Item } from '../../sync/protocol.ts'
import type { Caller } from '../caller.ts'
import { RequestProblem } from '../problem.ts'
import { live, present, type Writing, writeItem } from './write.ts'

export interface Sharing extends Writing {
  caller: Caller
}

export async function share(sharing: Sharing, document: ShareDocument): Promise<Item> {
  const { subject, with: target } = document
  if (target === `user:${sharing.caller.user}`)
    throw new RequestProblem(400, 'self', 'It is yours already: share it with somebody else')
  if (subject.kind === 'memory') await live(sharing, 'memory', subject.id)
  const id = `share:${shareIdOf(document)}`
  const base = (await present(sharing, 'share', id)) ?? null
  const written = await writeItem(sharing, { id, kind: 'share', base, document })
  if (written.kind === 'stored' && written.item) return written.item
  throw new RequestProblem(409, 'conflict', 'It has just been changed', 'Try again.')
}

/** What is gone already stays so. */
export async function unshare(writing: Writing, id: string): Promise<void> {
  const item = await present(writing, 'share', id)
  if (!item?.document) return
  const written = await writeItem(writing, { id, kind: 'share', base: item, document: null })
  if (written.kind === 'conflict') throw new RequestProblem(409, 'conflict', 'It has just been changed', 'Try again.')
}
