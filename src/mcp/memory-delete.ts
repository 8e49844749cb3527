import * as z from 'zod'
import { forget } from '../learn/change.ts'
import { changing, checkOwn } from './agent-word.ts'
import type { Visit } from './answer.ts'
import { refreshFiles } from './memory-files.ts'
import { memoryAsked } from './memory-named.ts'

export const deleteInput = z.strictObject({
  id: z.string().min(1).max(100).describe('the memory to forget, as the user wishes'),
})

export async function remove(visit: Visit, { id }: z.infer<typeof deleteInput>): Promise<string> {
  const asked = memoryAsked(visit.ledger, id)
  checkOwn(asked, `The user can forget it for all of them: recollect forget ${asked.id}`)
  const memory = forget(changing(visit), asked.id)
  const files = await refreshFiles(visit)
  return `${memory.id} is forgotten and will not be learned again. The user can take it back: recollect undo.${files}`
}
