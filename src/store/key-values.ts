// Named JSON values about the ledger as a whole, such as the time of the last sweep. The table is
// called `notes`.
import type { Json } from '../core/session.ts'
import type { Ledger } from './ledger.ts'

export function writeValue(ledger: Ledger, name: string, value: Json): void {
  ledger.sql('INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)').run(name, JSON.stringify(value))
}

export function readValue(ledger: Ledger, name: string): Json | undefined {
  const row = ledger.sql('SELECT value FROM notes WHERE name = ?').get(name)
  return row ? (JSON.parse(String(row.value)) as Json) : undefined
}

export function deleteValue(ledger: Ledger, name: string): void {
  ledger.sql('DELETE FROM notes WHERE name = ?').run(name)
}

export function deleteValuesWithPrefix(ledger: Ledger, beginning: string): void {
  ledger.sql('DELETE FROM notes WHERE substr(name, 1, length($beginning)) = $beginning').run({ beginning })
}

export function renameValuePrefix(ledger: Ledger, from: string, to: string): void {
  ledger
    .sql('UPDATE notes SET name = $to || substr(name, length($from) + 1) WHERE substr(name, 1, length($from)) = $from')
    .run({ from, to })
}
