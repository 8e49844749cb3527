import { messageOf } from '../core/errors.ts'
import type { Visit } from './answer.ts'

/** What people have edited meanwhile is read first. Where that fails, the files stay due, and the answer says so. */
export async function refreshFiles({ app, ledger }: Visit): Promise<string> {
  try {
    const [{ readMemoryEdits }, { writeMemoryFiles }] = await Promise.all([
      import('../learn/files/read.ts'),
      import('../learn/files/write.ts'),
    ])
    await readMemoryEdits(app.context(ledger))
    writeMemoryFiles(app.context(ledger))
    return ''
  } catch (error) {
    return `\nThe memory files follow at the next sweep (${messageOf(error)}).`
  }
}
