import type { EditsContext } from './context.ts'
import { readMemoryEdits } from './read.ts'
import { writeMemoryFiles } from './write.ts'

/** Writes the memory files after a change. Reads edits of them first, so that none is lost. */
export async function refreshMemoryFiles(context: EditsContext): Promise<void> {
  await readMemoryEdits(context)
  writeMemoryFiles(context)
}
