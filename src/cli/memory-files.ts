import type { App } from '../app.ts'
import type { Ledger } from '../store/ledger.ts'

/** After a change by hand: what people have edited meanwhile is read first, then the files are made to say what holds. */
export async function refreshFiles(app: App, ledger: Ledger): Promise<void> {
  const [{ readMemoryEdits }, { writeMemoryFiles }] = await Promise.all([
    import('../learn/files/read.ts'),
    import('../learn/files/write.ts'),
  ])
  const context = app.context(ledger)
  await readMemoryEdits(context)
  writeMemoryFiles(context)
}
