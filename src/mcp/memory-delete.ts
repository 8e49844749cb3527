import * as z from 'zod'
import { forget } from '../learn/change.ts'
import { changing } from './agent-word.ts'
import type { Visit } from './answer.ts'
import { refreshFiles } from './memory-files.ts'
import { memoryAsked } from './memory-named.ts'

export const deleteInput = z.strictObject({
  id: z.string().min(1).max(100).describe('the memory to forget, as the user wishes'),
})

export async function remove(visit: Visit, { id }: z.infer<typeof deleteInput>): Promise<string> {
  const memory = forget(changing(visit), memoryAsked(visit.ledger, id).id)
  const files = await refreshFiles(visit)
  return `${memory.id} is forgotten and will not be learned again. The user can take it back: recollect undo.${files}`
}
