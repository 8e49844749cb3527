// An answer that is kept as an article, with its row in the index and its line in the log.
import { join } from 'node:path'
import { type LockOwner, tryLock } from '../core/lock.ts'
import type { Article } from './article.ts'
import type { BuildContext } from './build.ts'
import { recoverBuild } from './in-flight.ts'
import { writeIndex } from './index-file.ts'
import { appendToLog } from './log-file.ts'
import { writeArticles } from './write.ts'

export type Filed = { kind: 'filed'; path: string } | { kind: 'busy'; owner: LockOwner | undefined }

export async function fileAnswer(
  { ledger, clock }: Pick<BuildContext, 'ledger' | 'clock'>,
  article: Article,
): Promise<Filed> {
  const locking = tryLock(join(ledger.layout.run, 'wiki.lock'), 'wiki ask', clock)
  if (locking.kind === 'busy') return locking
  try {
    recoverBuild(ledger)
    await writeArticles({ ledger }, { articles: [article], isAll: true })
    writeIndex({ ledger })
    appendToLog({ ledger }, { what: 'ask', atMs: clock.nowMs(), says: [['1 answer kept', [article.path]]] })
    return { kind: 'filed', path: article.path }
  } finally {
    locking.release()
  }
}
