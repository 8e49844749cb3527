// One item at a time, for people and agents who have no copy of a space: what is there is read, and it is changed only if it is
// still that.
import type { Base, Item, ItemDocument, ItemKind, PushResult } from '../../sync/protocol.ts'
import type { Access } from '../caller.ts'
import { RequestProblem } from '../problem.ts'
import type { Services } from '../services.ts'
import { itemById } from '../store/items.ts'
import { push } from './push.ts'
import type { DoorState } from './route.ts'

export interface Writing {
  services: Services
  state: DoorState
  access: Access
}

export interface Wish {
  id: string
  kind: ItemKind
  base: Base | null
  document: ItemDocument | null
}

export type Written =
  | { kind: 'stored'; item: Item | undefined }
  /** Somebody else was faster: this is what is there. */
  | { kind: 'conflict'; current: Item }
  /** Another item says the same: this one. */
  | { kind: 'duplicate'; of: Item }

export async function writeItem({ services, state, access }: Writing, wish: Wish): Promise<Written> {
  const result = (await push(services, state, access, [wish]))[0]!
  switch (result.status) {
    case 'stored':
      return { kind: 'stored', item: await itemById(services.database, access, wish.id) }
    case 'conflict':
      return { kind: 'conflict', current: result.current }
    case 'duplicate':
      return { kind: 'duplicate', of: result.of }
    case 'refused':
      throw refusal(result)
    default:
      throw result satisfies never
  }
}

const statuses = { secret: 422, invalid: 422, 'too large': 413, 'not allowed': 403 } as const

function refusal({ reason, message, rules }: PushResult & { status: 'refused' }): RequestProblem {
  const hint = rules?.length ? `Seen: ${rules.join(', ')}` : undefined
  return new RequestProblem(statuses[reason], reason.replace(' ', '_'), message, hint)
}

/** The item as it is, deleted ones too; those of another kind are not there. */
export async function present(
  { services, access }: Pick<Writing, 'services' | 'access'>,
  kind: ItemKind,
  id: string,
): Promise<Item | undefined> {
  const item = await itemById(services.database, access, id)
  return item?.kind === kind ? item : undefined
}

/** The item as it holds; a problem where there is none. */
export async function live(writing: Pick<Writing, 'services' | 'access'>, kind: ItemKind, id: string): Promise<Item> {
  const item = await present(writing, kind, id)
  if (!item?.document) throw new RequestProblem(404, 'unknown_item', `There is no such ${kind}`)
  return item
}
