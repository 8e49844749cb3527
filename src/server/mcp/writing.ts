// What an agent says is worth knowing. It goes into the user's own space: what a team knows is changed by people, on purpose.
import * as z from 'zod'
import { type Clock, isoTime } from '../../core/clock.ts'
import { evidence } from '../../core/evidence.ts'
import { excluded } from '../../memory/exclusions.ts'
import { maxMemoryLength, memoryKinds, memoryStatuses } from '../../memory/memory.ts'
import { type Item, type ItemDocument, itemId } from '../../sync/protocol.ts'
import { truncate } from '../../text/truncate.ts'
import { accessOf } from '../http/authorise.ts'
import { changedMemory, type MemoryChanges, newMemory, newMemoryId } from '../http/memory.ts'
import { live, type Writing, type Written, writeItem } from '../http/write.ts'
import { RequestProblem } from '../problem.ts'
import type { Call } from './handler.ts'
import { memoryLine, memoryOf } from './memory-text.ts'

const text = z
  .string()
  .trim()
  .min(1, 'A memory needs a text: one statement that can be read alone')
  .max(maxMemoryLength, `A memory has at most ${maxMemoryLength} characters: store several, each about one thing`)
  .describe('one statement that can be read alone, without this conversation')
const reason = z.string().trim().min(1).max(1000)

const details = {
  why: reason.optional().describe('the reason'),
  apply: reason.optional().describe('when and how to use it'),
  tags: z.array(z.string().trim().min(1).max(40)).max(12).optional().describe('words to sort it by'),
  importance: z.number().min(0).max(1).optional().describe('0 to 1 (default: 0.5)'),
}

export const storeInput = z.strictObject({
  text,
  kind: z.enum(memoryKinds).default('fact'),
  status: z.enum(memoryStatuses).default('settled'),
  ...details,
  project: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('the project that it is about, such as github.com/owner/name (default: it holds everywhere)'),
})

export async function store(call: Call, input: z.infer<typeof storeInput>): Promise<string> {
  checkWords(input)
  const document = newMemory({ ...input, trust: 'agent said' }, call.services.clock)
  return outcome(call, await add(call, document))
}

export const updateInput = z.strictObject({
  id: itemId.describe('the memory that no longer holds as it is'),
  text: text.optional(),
  kind: z.enum(memoryKinds).optional(),
  status: z.enum(memoryStatuses).optional(),
  ...details,
})

export async function update(call: Call, { id, ...changes }: z.infer<typeof updateInput>): Promise<string> {
  if (Object.keys(changes).length === 0)
    throw new RequestProblem(422, 'invalid', 'Give text, why, apply, kind, status, tags or importance')
  const writing = own(call)
  const item = await live(writing, 'memory', id)
  const old = memoryOf(item)
  if (old.state === 'inbox') throw new RequestProblem(409, 'inbox', `${id} waits for a person to decide`)
  if (old.supersededBy)
    throw new RequestProblem(
      409,
      'superseded',
      `${id} no longer holds: superseded by ${old.supersededBy}`,
      'Update that one.',
    )
  checkWords({ text: old.text, ...changes })
  if (old.trust === 'user said') {
    await add(call, waiting(item, changes, call.services.clock))
    return `The user said ${id}, so it stays. Your version waits in their inbox, and they decide (recollect inbox).`
  }
  const document = { ...changedMemory(item.document!, changes), ...said(call.services.clock) }
  const written = await writeItem(writing, { id, kind: 'memory', base: item, document })
  if (written.kind !== 'stored') return outcome(call, written)
  return `${id} is changed, as said by an agent.`
}

export const deleteInput = z.strictObject({ id: itemId.describe('the memory to forget, as the user wishes') })

export async function remove(call: Call, { id }: z.infer<typeof deleteInput>): Promise<string> {
  const writing = own(call)
  const item = await live(writing, 'memory', id)
  const written = await writeItem(writing, { id, kind: 'memory', base: item, document: null })
  return written.kind === 'stored' ? `${id} is forgotten.` : outcome(call, written)
}

function own({ services, state, caller }: Call): Writing {
  return { services, state, access: accessOf(caller, 'me', { kind: 'space', role: 'writer' }) }
}

/** Whoever said it before, it is an agent's word now. */
function said(clock: Clock): ItemDocument {
  return { trust: 'agent said', confirmedAt: isoTime(clock.nowMs()) }
}

/** A memory of its own beside the one that it would change. */
function waiting(item: Item, changes: MemoryChanges, clock: Clock): ItemDocument {
  const document = { ...changedMemory(item.document!, changes), ...said(clock) }
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

/** What directs its reader is no memory, wherever in it that stands. */
function checkWords({
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
    throw new RequestProblem(422, 'excluded', `Not remembered: ${reason}`, 'Leave it, or say what lasts of it.')
}

function add(call: Call, document: ItemDocument): Promise<Written> {
  return writeItem(own(call), { id: newMemoryId(), kind: 'memory', base: null, document })
}

function outcome({ services }: Call, written: Written): string {
  switch (written.kind) {
    case 'stored':
      return `Remembered as ${written.item!.id}, as said by an agent.`
    case 'duplicate': {
      const line = memoryLine({ space: 'me', ...written.of }, services.clock)
      return `This is known already, so nothing was changed:\n${evidence({ memory: written.of.id }, line)}`
    }
    case 'conflict':
      throw new RequestProblem(
        409,
        'conflict',
        'It has just been changed by somebody else',
        'Read it again: memory_get.',
      )
    default:
      throw written satisfies never
  }
}
