// Fingerprints of errors: the same error in another file, line or run has the same fingerprint.
import { hash } from 'node:crypto'
import { truncate } from '../text/truncate.ts'

export interface ErrorFingerprint {
  fingerprint: string
  /** The line with the actual message. */
  message: string
}

/** `what` is the command; it distinguishes failures without a message. */
export function fingerprintError(text: string, what = ''): ErrorFingerprint {
  const message = messageLine(text)
  const shape = message === '' || isHeader(message) ? `${errorShape(message)} ${what}`.trim() : errorShape(message)
  const fingerprint = hash('sha1', shape, 'hex').slice(0, 12)
  return { fingerprint, message: truncate(message, 300) }
}

/** Only the message of `fingerprintError`. */
export function errorMessage(text: string): string {
  return truncate(messageLine(text), 300)
}

/** The message without its variable parts: paths, numbers, ids, quoted text. */
export function errorShape(message: string): string {
  return message
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<id>')
    .replace(/0x[0-9a-f]+|\b[0-9a-f]{7,40}\b/gi, '<hex>')
    .replace(/(?:[A-Za-z]:)?(?:[\w.@~+-]*[/\\])+[\w.@+-]*/g, '<path>')
    .replace(/\d+/g, '<n>')
    .replace(/'[^']*'|"[^"]*"|`[^`]*`/g, '<text>')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** Git's specific reason, which precedes a general last line. */
const gitReason = /^ ! \[(?:remote )?rejected\].*|^CONFLICT \(.*/m

const named =
  /^\s*(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Failure|Panic|Warning)\b.*|^\s*(?:error|fatal|panic|failed|failure|E)\b(?:\[[\w-]+\])?[:\s].*/im

/**
 * Selects the message of an error output: the named exception, which is the first or last line of a
 * trace, else the first line that is not a header.
 */
function messageLine(text: string): string {
  if (last?.text !== text) last = { text, message: readMessageLine(text) }
  return last.message
}

/** A cache: one error is counted in several places. */
let last: { text: string; message: string } | undefined

function readMessageLine(text: string): string {
  const source = text
    .slice(0, 8000)
    .replace(/<\/?tool_use_error>/g, '')
    // Gemini CLI labels the parts of a command's output.
    .replace(/^(?:Output|Stdout|Stderr): ?|^Error: \(none\)$/gm, '')
  const traced = /^Traceback \(most recent call last\):/m.test(source)
  const lines = source.split('\n').map((line) => line.trim())
  if (traced) {
    const last = lines.findLast((line) => /^(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit)\b/.test(line))
    if (last) return last
  }
  const found = (gitReason.exec(source) ?? named.exec(source))?.[0].trim()
  return found ?? lines.find((line) => line !== '' && !isHeader(line)) ?? lines.find((line) => line !== '') ?? ''
}

function isHeader(line: string): boolean {
  return /^(?:(?:Error: )?Exit code:? -?\d+|Traceback|Chunk ID|Wall time|Process exited|Command: |Directory: |Signal: |Background PIDs: |Process Group PGID: |Original token count|Output:|stderr:|stdout:|> |\$ )/.test(
    line,
  )
}
