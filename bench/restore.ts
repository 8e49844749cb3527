// Measures restoring: public transcripts are swept, deleted and restored, and compared with the
// originals byte by byte; a second sweep must find nothing new. Also what keeping the lines costs.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { messageOf } from '../src/core/errors.ts'
import { restoreSession } from '../src/history/restore.ts'
import { listSessions } from '../src/store/sessions/sessions.ts'
import { storeSizes, totalBytes } from '../src/store/sizes.ts'
import { sweep } from '../src/sweep.ts'
import { corpusHome } from './home.ts'
import { percent } from './measure.ts'

export async function restore(): Promise<void> {
  const corpus = corpusHome()
  if (!corpus) return console.log('The public transcripts are not here: nothing to restore')
  const store = join(tmpdir(), `recollect-bench-restore-${process.pid}`)
  try {
    const app = createApp({
      machine: { home: corpus.home, env: { RECOLLECT_HOME: store }, platform: process.platform },
    })
    await sweep(app)
    const ledger = app.ledger()
    const originals = new Map(corpus.files.map((path) => [path, readFileSync(path)]))
    for (const path of corpus.files) rmSync(path)
    const { copies, ...rest } = storeSizes(ledger)
    const others = totalBytes({ copies: 0, ...rest })
    for (const session of listSessions(ledger, {})) {
      try {
        restoreSession(ledger, session, { agents: app.agents })
      } catch (error) {
        const path = session.transcript?.path
        if (path === undefined || !existsSync(path)) console.log(`${session.id}: ${messageOf(error)}`)
      }
    }
    const totals = { files: 0, equal: 0, redacted: 0, bytes: 0, equalBytes: 0, lines: 0, different: 0 }
    for (const [path, original] of originals) {
      totals.files++
      if (!existsSync(path)) {
        console.log(`not restored: ${path.slice(corpus.home.length)} (${original.length} bytes)`)
        continue
      }
      const restored = readFileSync(path)
      const compared = compare(original, restored)
      totals.bytes += original.length
      totals.equalBytes += compared.equalBytes
      totals.lines += compared.lines
      totals.different += compared.different
      if (restored.equals(original)) totals.equal++
      else if (compared.different === 0) totals.redacted++
      else console.log(`different: ${path.slice(corpus.home.length)}, ${compared.different} lines`)
    }
    ledger.close()
    console.log(
      `${totals.files} transcripts: ${totals.equal} equal, ${totals.redacted} equal but for redaction; ` +
        `${totals.equalBytes} of ${totals.bytes} bytes in equal lines, ${totals.different} of ${totals.lines} lines differ`,
    )
    console.log(`kept lines ${copies} bytes, ${percent(copies / others)} of the rest of the store`)
    const { report } = { report: await sweep(app) }
    console.log(`second sweep: ${JSON.stringify(report).match(/"events":\d+/)?.[0]}`)
  } finally {
    rmSync(store, { recursive: true, force: true })
    corpus.remove()
  }
}

interface Comparison {
  lines: number
  equalBytes: number
  /** Lines that differ in more than what was removed. */
  different: number
}

function compare(original: Buffer, restored: Buffer): Comparison {
  const [before, after] = [original, restored].map((bytes) => bytes.toString('latin1').split('\n'))
  let equalBytes = 0
  let different = Math.abs(before!.length - after!.length)
  for (const [at, line] of before!.entries()) {
    const other = after![at]
    if (other === line) equalBytes += line.length + 1
    else if (other === undefined || !isRedacted(line, other)) different++
  }
  return { lines: before!.length, equalBytes: Math.min(equalBytes, original.length), different }
}

/** Whether what is between the marks stands in the original, in the same order. */
function isRedacted(line: string, redacted: string): boolean {
  const parts = redacted.split(/\[(?:secret: [\w-]+|private)\]/)
  if (parts.length === 1 || !line.startsWith(parts[0]!) || !line.endsWith(parts.at(-1)!)) return false
  let at = 0
  for (const part of parts) {
    const found = line.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return true
}
