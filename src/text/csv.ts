type CsvValue = string | number | null

/** The first row gives the columns. */
export function csvOf(rows: readonly Readonly<Record<string, CsvValue>>[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))]
  return lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(Number(value.toFixed(6)))
  // A spreadsheet would compute a text that begins like a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
