// Reads a request whose shape is not known, and collects what is wrong with it.
export type Fields = Record<string, unknown>

export type Report = (where: string, what: string) => void

/** The violations that a check reports, and what no service accepts: a text with half a character, a request that is too large. */
export function violationsOf(body: object, check: (report: Report) => void): string[] {
  const found: string[] = []
  const report: Report = (where, what) => found.push(`${where}: ${what}`)
  if (Buffer.byteLength(JSON.stringify(body)) > maxRequestBytes) report('request', 'over 32 MB')
  reportHalfCharacters(body, 'request', report)
  check(report)
  return found
}

const maxRequestBytes = 32 * 1024 * 1024

function reportHalfCharacters(value: unknown, where: string, report: Report): void {
  if (typeof value === 'string' && !value.isWellFormed()) report(where, 'half of a surrogate pair')
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) reportHalfCharacters(inner, `${where}.${name}`, report)
}

export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === ''
}

/** Whether a text is the JSON of an object: arguments of a call. */
export function isJsonObject(text: unknown): boolean {
  if (typeof text !== 'string') return false
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}

/** Reports values that stand there twice: ids of calls, names of tools. */
export function reportRepeated(values: readonly unknown[], where: string, report: Report): void {
  const seen = new Set<unknown>()
  for (const value of values) {
    if (seen.has(value)) report(where, `${String(value)} stands there twice`)
    seen.add(value)
  }
}
