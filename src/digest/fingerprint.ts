// The same error in another file, at another line, on another day has one fingerprint.
import { createHash } from 'node:crypto'
import { truncate } from '../text/truncate.ts'

export interface ErrorFingerprint {
  fingerprint: string
  /** The line that says what went wrong. */
  message: string
}

/** `what` was run: where the output says nothing, two that fail have only that in common. */
export function fingerprintError(text: string, what = ''): ErrorFingerprint {
  const message = messageLine(text)
  const shape = message === '' || isHeader(message) ? `${errorShape(message)} ${what}`.trim() : errorShape(message)
  const fingerprint = createHash('sha1').update(shape).digest('hex').slice(0, 12)
  return { fingerprint, message: truncate(message, 300) }
}

/** The message without what differs from time to time: paths, numbers, ids, quoted text. */
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

/** What git says before its last word, which is the same for every reason. */
const gitReason = /^ ! \[(?:remote )?rejected\].*|^CONFLICT \(.*/m

const named =
  /^\s*(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Failure|Panic|Warning)\b.*|^\s*(?:error|fatal|panic|failed|failure|E)\b(?:\[[\w-]+\])?[:\s].*/im

/**
 * A trace begins with a header that says nothing and ends, or begins, with the exception: the named error counts, else the
 * first line that is not a header.
 */
function messageLine(text: string): string {
  const source = text
    .slice(0, 8000)
    .replace(/<\/?tool_use_error>/g, '')
    // Gemini CLI puts the names of the parts before what a command printed.
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
