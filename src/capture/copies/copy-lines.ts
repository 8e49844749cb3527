// Keeps the lines of a log as the agent wrote them, but without secrets, so that the transcript can be
// restored.
import { isUtf8 } from 'node:buffer'
import { readForeignText } from '../../core/files.ts'
import type { JsonlLine } from '../../core/jsonl.ts'
import type { SecretFileKind } from '../../core/redact/secret-files.ts'
import { copyFrameSize, encodeLines } from '../../store/sessions/body-copies.ts'
import type { BodyCopy } from '../../store/sessions/body-frames.ts'
import { bytesText, gapText, plainText, reference } from '../../store/sessions/copy-text.ts'
import type { CollectedCopy, CopyLine, LineEvent } from '../collect.ts'
import type { RedactTexts } from '../context.ts'
import type { BatchRedaction } from '../redact-batch.ts'
import { filesNamedIn, type LineRules, redactLine, withoutFiles } from './redact-line.ts'
import { type LinePiece, splitAtParts, splitAtStrings, type WantedStrings, wantedStrings } from './references.ts'

export interface CopyRecorder {
  /** `isParsed` tells whether all of the line is JSON; `text` is the line, if it was decoded before. */
  add(line: JsonlLine, events: readonly LineEvent[], isParsed: boolean, text?: string): void
  /** In characters. */
  size(): number
  take(): CollectedCopy
}

export function createCopyRecorder(from: number): CopyRecorder {
  let begun = from
  let session: string | undefined
  let lines: CopyLine[] = []
  let size = 0
  return {
    add({ bytes, length, isTooLong, isWhole }, events, isParsed, decoded) {
      session ??= events[0]?.session
      const text = isTooLong ? undefined : (decoded ?? bytes.toString('utf8'))
      lines.push({
        text,
        ...(isTooLong || isUtf8(bytes) ? {} : { bytes: Buffer.from(bytes) }),
        length,
        isWhole,
        isParsed,
        events: events.filter((one) => one.session === session),
      })
      size += text?.length ?? 0
    },
    size: () => size,
    take() {
      const taken = { session, from: begun, lines }
      begun = lines.reduce((at, { length, isWhole }) => at + length + (isWhole ? 1 : 0), begun)
      lines = []
      size = 0
      session = undefined
      return taken
    },
  }
}

/** The lines of a part, without secrets; references count the events of its session in the part. */
export interface PreparedCopy {
  path: string
  frames: BodyCopy[]
}

type RemovedSecrets = Pick<BatchRedaction, 'changed' | 'secretFiles' | 'secretValues'>

/** To be called after the events were redacted. */
export function prepareCopy(
  path: string,
  { from, lines }: CollectedCopy,
  removed: RemovedSecrets,
  redact: RedactTexts,
): PreparedCopy {
  const frames: BodyCopy[] = []
  let text: string[] = []
  let size = 0
  let last = 0
  let [begun, end] = [from, from]
  const flush = () => {
    if (text.length > 0) frames.push(encodeLines({ path, from: begun, to: end }, text))
    text = []
    size = 0
    last = 0
    begun = end
  }
  const places = new Map<string, number>()
  const seen = new Set<string>()
  const rulesOf = createRules(lines, removed)
  for (const group of withUnparsedTogether(lines)) {
    for (const piece of piecesOf(group, { rules: rulesOf(group), removed, redact, places, seen })) {
      const stored = typeof piece === 'string' ? piece : reference(piece.event - last, piece.string)
      if (typeof piece !== 'string') last = piece.event
      text.push(stored)
      size += stored.length
    }
    for (const { length, isWhole } of group) end += length + (isWhole ? 1 : 0)
    if (size >= copyFrameSize) flush()
  }
  flush()
  return { path, frames }
}

/** Nothing if there is no such file, or it cannot be told what in it is a secret. */
export function prepareBeside(path: string, redact: RedactTexts): BodyCopy[] {
  const text = textOf(path)
  const kept = text === '' || text.length > maxBesideLength ? undefined : redactLine(text, redact)
  return kept === undefined ? [] : [encodeLines({ path, from: 0, to: Buffer.byteLength(text) }, [plainText(kept)])]
}

const maxBesideLength = 64 << 10

function textOf(path: string): string {
  try {
    return readForeignText(path)
  } catch {
    return '' // older versions write none
  }
}

/** Consecutive lines that are no JSON form a group: a private key may go over several. */
function withUnparsedTogether(lines: readonly CopyLine[]): CopyLine[][] {
  const groups: CopyLine[][] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last && isJoinable(line) && isJoinable(last[0]!)) last.push(line)
    else groups.push([line])
  }
  return groups
}

function isJoinable({ isParsed, bytes, text }: CopyLine): boolean {
  return !isParsed && !bytes && text !== undefined
}

/**
 * A line without events, such as the progress of a command, may have the content of a file that this
 * turn has named, or that a call is about to which the line belongs.
 */
function createRules(
  lines: readonly CopyLine[],
  { secretFiles, secretValues }: RemovedSecrets,
): (group: readonly CopyLine[]) => LineRules {
  let texts: Set<string> | undefined
  // Only lines that may have secrets ask for it.
  const stored = () => {
    texts ??= new Set(lines.flatMap(({ events }) => events.map(({ event }) => event.text)))
    return texts
  }
  const calls = new Map<string, SecretFileKind>()
  let named = new Set<SecretFileKind>()
  return (group) => {
    const events = group.flatMap((line) => line.events.map(({ event }) => event))
    if (events.some(({ kind }) => kind === 'prompt')) named = new Set()
    if (events.length === 0) {
      for (const { text = '' } of group) for (const kind of filesNamedIn(text, calls)) named.add(kind)
      return { files: new Set(named), values: new Set(), stored }
    }
    const files = new Set<SecretFileKind>()
    for (const event of events) {
      const kind = secretFiles.get(event)
      if (!kind) continue
      files.add(kind)
      named.add(kind)
      if (event.call !== undefined) calls.set(event.call, kind)
    }
    return { files, values: new Set(events.flatMap((event) => secretValues.get(event) ?? [])), stored }
  }
}

interface LineContext {
  rules: LineRules
  removed: RemovedSecrets
  redact: RedactTexts
  /** Numbers of events by their id. */
  places: Map<string, number>
  /** Values without secrets that lines of this part repeat. */
  seen: Set<string>
}

/** The text of a group as it is kept, with line breaks. */
function piecesOf(group: readonly CopyLine[], context: LineContext): LinePiece[] {
  const [{ bytes, isParsed, events, text: first }] = group as [CopyLine]
  const { rules, redact, places } = context
  const end = group.at(-1)!.isWhole ? '\n' : ''
  const gap = gapText(group.reduce((sum, { length }) => sum + length, group.length - 1)) + end
  if (first === undefined) return [gap]
  const wanted = wantedStrings(events)
  for (const { index, event } of events) if (event.id !== '' && !places.has(event.id)) places.set(event.id, index)
  const clean = piecesWithoutSecrets(group, wanted, context)
  if (clean) return [...asText(splitAtParts(clean, wanted)), end]
  const text = group.length === 1 ? first : group.map(({ text }) => text).join('\n')
  const redacted = redactLine(text, redact, rules)
  if (redacted === undefined) return [gap]
  const kept = isParsed ? redacted : withoutFiles(redacted, rules.files)
  if (bytes) return [(kept === text ? bytesText(bytes) : plainText(kept)) + end]
  return [...asText(splitAtParts(splitAtStrings(kept, { wanted, places, seen: new Set() }).pieces, wanted)), end]
}

/**
 * The pieces of a line that has no secret, as nearly all lines: only what its events do not have is
 * searched for secrets, because they were redacted before. Undefined if the line has one or may have.
 */
function piecesWithoutSecrets(
  group: readonly CopyLine[],
  wanted: WantedStrings,
  { rules, removed, redact, places, seen }: LineContext,
): LinePiece[] | undefined {
  const [{ bytes, isParsed, events, text = '' }] = group as [CopyLine]
  if (!isParsed || bytes || rules.files.size > 0 || rules.values.size > 0 || text.includes('\0')) return undefined
  if (events.some(({ event }) => removed.changed.has(event))) return undefined
  const { pieces, hasSecretValue, searched } = splitAtStrings(text, { wanted, places, seen })
  if (!hasSecretValue && searched.every((one) => redact([one]).texts[0] === one)) return pieces
  seen.clear() // a value with a secret may be among them
  return undefined
}

function asText(pieces: readonly LinePiece[]): LinePiece[] {
  return pieces.map((piece) => (typeof piece === 'string' ? plainText(piece) : piece))
}
