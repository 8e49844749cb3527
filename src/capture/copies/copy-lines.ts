// Keeps the lines of a log as the agent wrote them, but without secrets, so that the transcript can be
// restored.
import { isUtf8 } from 'node:buffer'
import type { JsonlLine } from '../../core/jsonl.ts'
import type { SecretFileKind } from '../../core/redact/secret-files.ts'
import { copyFrameSize, encodeLines } from '../../store/sessions/body-copies.ts'
import type { BodyCopy } from '../../store/sessions/body-frames.ts'
import { bytesText, gapText, plainText, relativeReferences } from '../../store/sessions/copy-text.ts'
import type { CollectedCopy, CopyLine, LineEvent } from '../collect.ts'
import type { RedactTexts } from '../context.ts'
import type { BatchRedaction } from '../redact-batch.ts'
import { filesNamedIn, type LineRules, redactLine, withoutFiles } from './redact-line.ts'
import { withReferences } from './references.ts'

export interface CopyRecorder {
  /** `isParsed` tells whether all of the line is JSON. */
  add(line: JsonlLine, events: readonly LineEvent[], isParsed: boolean): void
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
    add({ bytes, length, isTooLong, isWhole }, events, isParsed) {
      session ??= events[0]?.session
      const text = isTooLong ? undefined : bytes.toString('utf8')
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

type RemovedSecrets = Pick<BatchRedaction, 'secretFiles' | 'secretValues'>

/**
 * To be called after the events were redacted: references are put into lines without secrets only, to
 * strings that are the same.
 */
export function prepareCopy(
  path: string,
  { from, lines }: CollectedCopy,
  removed: RemovedSecrets,
  redact: RedactTexts,
): PreparedCopy {
  const frames: BodyCopy[] = []
  let text = ''
  let last = 0
  let [begun, end] = [from, from]
  const flush = () => {
    if (text !== '') frames.push(encodeLines({ path, from: begun, to: end }, text))
    text = ''
    last = 0
    begun = end
  }
  const places = new Map<string, number>()
  const rulesOf = createRules(lines, removed)
  for (const group of withUnparsedTogether(lines)) {
    const relative = relativeReferences(cleanText(group, rulesOf(group), redact, places), last)
    text += relative.text
    last = relative.last
    for (const { length, isWhole } of group) end += length + (isWhole ? 1 : 0)
    if (text.length >= copyFrameSize) flush()
  }
  flush()
  return { path, frames }
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
  const stored = new Set(lines.flatMap(({ events }) => events.map(({ event }) => event.text)))
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

/** The text of a group as it is kept, with line breaks. */
function cleanText(
  group: readonly CopyLine[],
  rules: LineRules,
  redact: RedactTexts,
  places: Map<string, number>,
): string {
  const [{ bytes, isParsed, events }] = group as [CopyLine]
  const end = group.at(-1)!.isWhole ? '\n' : ''
  const gap = gapText(group.reduce((sum, { length }) => sum + length, group.length - 1)) + end
  if (group[0]!.text === undefined) return gap
  const text = group.map(({ text }) => text).join('\n')
  const redacted = redactLine(text, redact, rules)
  if (redacted === undefined) return gap
  const clean = isParsed ? redacted : withoutFiles(redacted, rules.files)
  if (bytes) return (clean === text ? bytesText(bytes) : plainText(clean)) + end
  return withReferences(clean, events, places) + end
}
