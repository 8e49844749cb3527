// wiki/log.md: what was built, asked and checked, a line each, never changed afterwards.
import { isoTime } from '../core/clock.ts'
import { openVault, readVaultBytes, statVaultFile, writeVaultFile } from '../core/vault.ts'
import { wikilink } from './links.ts'
import { fileOf, type WikiContext } from './write.ts'

const logPath = 'wiki/log'

const maxNamed = 20

export interface LogLine {
  what: 'build' | 'ask' | 'lint'
  atMs: number
  /** Words, and articles by path. */
  says: [words: string, paths: readonly string[]][]
}

export function appendToLog({ ledger }: WikiContext, { what, atMs, says }: LogLine): void {
  const vault = openVault(ledger.layout.vault)
  const found = statVaultFile(vault, fileOf(logPath))
  if (found.kind === 'other') return
  const before = found.kind === 'file' ? readVaultBytes(vault, fileOf(logPath)) : Buffer.from('# What was built\n\n')
  const told = says.map(([words, paths]) => (paths.length === 0 ? words : `${words}: ${named(paths)}`))
  const gap = before.length === 0 || before.at(-1) === 10 ? '' : '\n'
  const line = `${gap}- ${isoTime(atMs)} ${what}: ${told.join('; ')}\n`
  writeVaultFile(vault, fileOf(logPath), Buffer.concat([before, Buffer.from(line)]))
}

function named(paths: readonly string[]): string {
  const links = paths.slice(0, maxNamed).map((path) => wikilink(path, path.slice(path.lastIndexOf('/') + 1)))
  return paths.length > maxNamed ? `${links.join(', ')} and ${paths.length - maxNamed} more` : links.join(', ')
}
