// Named JSON values about the ledger as a whole, such as the time of the last sweep. The table is
// called `notes`.
import type { Json } from '../core/session.ts'
import type { Ledger } from './ledger.ts'
import { reportWrongShape } from './repair-json.ts'

export function writeValue(ledger: Ledger, name: string, value: Json): void {
  ledger.sql('INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)').run(name, JSON.stringify(value))
}

/** A value that is no JSON counts as missing: it was changed by hand or by damage. */
export function readValue(ledger: Ledger, name: string): Json | undefined {
  const row = ledger.sql('SELECT value FROM notes WHERE name = ?').get(name)
  if (!row) return undefined
  try {
    return JSON.parse(String(row.value)) as Json
  } catch {
    reportWrongShape(ledger, name, 'a value that is no JSON')
    return undefined
  }
}

/** A value of another shape counts as missing and is reported. */
export function readChecked<T>(ledger: Ledger, name: string, isValid: (value: Json) => boolean): T | undefined {
  const value = readValue(ledger, name)
  if (value === undefined || isValid(value)) return value as T | undefined
  reportWrongShape(ledger, name, 'a value of another shape')
  return undefined
}

export function isObject(value: Json): value is Record<string, Json | undefined> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isStrings(value: Json): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
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
