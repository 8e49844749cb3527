// Redacts secrets and private spans before a text is stored or sent.
// The rules cover secretlint's recommended preset (a test checks that), the rule sets of gitleaks
// and TruffleHog as far as a secret can be recognised without asking its service, and what people
// write around passwords. They are our own because a transcript can contain a `secretlint-disable`
// comment, and because every pass over the text costs time.
import { isUtf8 } from 'node:buffer'
import { privateKeysIn, privateSpansIn } from './blocks.ts'
import {
  backslashedParts,
  decodeBase64,
  decodeEscapes,
  decodeHex,
  escapedParts,
  positionsOf,
  type TextPart,
  withoutPayloads,
} from './encodings.ts'
import { type Heading, valuesUnder } from './headings.ts'
import { cutKeysIn } from './key-lines.ts'
import { markOf } from './marks.ts'
import { bytesOf, type Payload, textsWithin } from './opaque.ts'
import { recordSecretsIn } from './records.ts'
import { releaseScan, scan, type TextScan } from './scan.ts'
import { tokenRules } from './tokens.ts'
import type { SecretRange } from './units.ts'
import { looksGenerated } from './values.ts'
import { joinPart, wrappedParts } from './wrapped.ts'

export { isSecretValue } from './assignments.ts'
export { isOpaqueName } from './opaque.ts'

export interface Redaction {
  texts: string[]
  /** Number of redactions by kind. */
  counts: Record<string, number>
}

export function redact(texts: readonly string[]): Redaction {
  const clean: string[] = []
  let counts = noCounts
  for (const text of texts) {
    const ranges = text.length < minLength ? noRanges : secretsIn(text)
    if (ranges.length > 0 && counts === noCounts) counts = {}
    clean.push(replaceRanges(text, ranges, counts))
  }
  return { texts: clean, counts }
}

/** Encoded files, ciphertexts and signatures in the text, in order: they are kept as they are, or not at all. */
export function payloadsIn(text: string): Payload[] {
  return scan(text)?.payloads ?? []
}

/** Most texts have no secret; they share this. */
const noCounts: Record<string, number> = Object.freeze({})

/** Redacts one text after the other and counts what was removed from all of them. */
export function createRedactor(): { clean(text: string): string; counts: Record<string, number> } {
  const counts: Record<string, number> = {}
  return { clean: (text) => redactText(text, counts), counts }
}

/** A sentence for whoever gave the text; undefined if nothing was removed. */
export function removalNotice(counts: Readonly<Record<string, number>>): string | undefined {
  const kinds = Object.keys(counts).sort()
  return kinds.length === 0 ? undefined : `Removed before storing, because it looks like a secret: ${kinds.join(', ')}.`
}

function redactText(text: string, counts: Record<string, number>): string {
  return text.length < minLength ? text : replaceRanges(text, secretsIn(text), counts)
}

/** The shortest secret with a name: `pw=` and five characters. */
const minLength = 8

/** Replaces the ranges by marks and counts them. */
function replaceRanges(text: string, ranges: readonly SecretRange[], counts: Record<string, number>): string {
  if (ranges.length === 0) return text
  const parts: string[] = []
  let from = 0
  for (const { start, end, kind } of merge(ranges)) {
    parts.push(text.slice(from, start), markOf(kind))
    counts[kind] = (counts[kind] ?? 0) + 1
    from = end
  }
  return parts.join('') + text.slice(from)
}

/** Decoded texts may contain encoded ones. */
const maxDepth = 3

/** What a text is: as it was written, with escapes decoded, or with line breaks left out. */
type TextForm = 'written' | 'decoded' | 'joined'

function secretsIn(text: string, depth = 0, form: TextForm = 'written'): readonly SecretRange[] {
  const found = scan(text)
  if (!found) return noRanges
  if (hasAny(found)) return searchFound(text, found, depth, form)
  releaseScan(found)
  return noRanges
}

function hasAny({ ranges, runs, keyLines, payloads, hits, hasBlocks, hasContinued, firstEscape }: TextScan): boolean {
  if (hasBlocks || hasContinued || firstEscape >= 0) return true
  return ranges.length + runs.length + keyLines.length + payloads.length + hits.length > 0
}

/** Most texts have nothing to look at and do not come here. */
function searchFound(text: string, found: TextScan, depth: number, form: TextForm): readonly SecretRange[] {
  const { ranges, runs, keyLines, payloads, hits, headings, hasBlocks, hasContinued, firstEscape } = found
  if (hasBlocks) ranges.push(...privateSpansIn(text), ...privateKeysIn(text), ...recordSecretsIn(text))
  if (keyLines.length > 0) ranges.push(...cutKeysIn(text, keyLines))
  if (headings.length > 0) ranges.push(...valuesUnder(text, headings))
  if (ranges.length > 0) addAwsSecrets(text, ranges)
  if (depth < maxDepth) {
    for (const { start, end } of runs)
      if (isEncodedSecret(text, start, end, depth)) ranges.push(encodedRange(text, start, end))
    for (const { start, end } of payloads)
      if (hasSecretWithin(text.slice(start, end), depth)) ranges.push({ start, end, kind: 'encoded' })
  }
  if (form !== 'joined' && hits.length + runs.length + ranges.length > 0) addWrapped(text, found, depth)
  if (form !== 'written') return ranges // a view has no view: escapes of every depth are decoded at once
  const add = (parts: TextPart[]) => addEscaped(text, withoutPayloads(parts, payloads), depth, ranges)
  if (hits.length > 0 || hasContinued) add(backslashedParts(text, hits, hasContinued))
  if (firstEscape >= 0 && depth < maxDepth) add(escapedParts(text, firstEscape))
  return ranges
}

const noRanges: readonly SecretRange[] = []

function addEscaped(text: string, parts: TextPart[], depth: number, ranges: SecretRange[]): void {
  for (const { start, end } of parts) {
    const view = decodeEscapes(text, start, end)
    if (view === undefined) continue
    // Backslashes may themselves be percent-encoded.
    const found = secretsIn(view, depth + 1, depth > 0 || !view.includes('\\') ? 'decoded' : 'written')
    if (found.length === 0) continue
    const { starts, ends } = positionsOf(text, start, end)
    for (const range of found) ranges.push({ start: starts[range.start]!, end: ends[range.end - 1]!, kind: range.kind })
  }
}

function addWrapped(text: string, { hits, runs, headings, ranges }: TextScan, depth: number): void {
  const places = runs.length + headings.length === 0 ? ranges : [...ranges, ...runs, ...linesUnder(text, headings)]
  for (const part of wrappedParts(text, hits, places)) {
    const { view, writtenAt } = joinPart(text, part)
    for (const range of secretsIn(view, depth + 1, 'joined')) {
      const written = writtenAt(range)
      if (written) ranges.push({ ...written, kind: range.kind })
    }
  }
}

/** Of a list or table the first lines; to look at more would cost time. */
const maxLinesUnder = 6

function linesUnder(text: string, headings: readonly Heading[]): { start: number }[] {
  const lines: { start: number }[] = []
  let last = -1
  for (const { at } of headings) {
    for (let line = 0, from = Math.max(at, last); line < maxLinesUnder; line++) {
      from = text.indexOf('\n', from) + 1
      if (from === 0) return lines
      if (from > last) lines.push({ start: from })
      last = from
    }
  }
  return lines
}

/** Texts that are decoded to be searched are not longer. */
const maxEncoded = 1 << 22
/** Shorter runs cannot contain a token. */
const minEncoded = 20

function isEncodedSecret(text: string, start: number, end: number, depth: number): boolean {
  if (end - start < minEncoded || end - start > maxEncoded) return false
  const run = text.slice(start, end)
  const decoded = decodeBase64(run) ?? (end - start <= 20_000 ? decodeHex(run) : undefined)
  return decoded !== undefined && decoded.length >= minLength && secretsIn(decoded, depth + 1).length > 0
}

function encodedRange(text: string, start: number, end: number): SecretRange {
  let last = end
  while (last < end + 2 && text.charAt(last) === '=') last++
  return { start, end: last, kind: 'encoded' }
}

/** Whether a payload cannot be kept: it is text with a secret, or a text in it has a token. */
function hasSecretWithin(payload: string, depth: number): boolean {
  const bytes = bytesOf(payload)
  if (isUtf8(bytes)) {
    const text = bytes.toString(bytes[1] === 0 && bytes[3] === 0 ? 'utf16le' : 'utf8')
    return text.length >= minLength && secretsIn(text, depth + 1).length > 0
  }
  for (const text of textsWithin(bytes))
    if (secretsIn(text, depth + 1).some(({ kind }) => distinctiveKinds.has(kind))) return true
  return false
}

/** Only these count in a file: bytes of a picture may look like a name with a value. */
const distinctiveKinds = new Set(['private-key', 'jwt', ...tokenRules.map(({ kind }) => kind)])

const awsSecret = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g

/** The secret of an AWS key has no prefix, but mostly stands near the id of the key. */
function addAwsSecrets(text: string, ranges: SecretRange[]): void {
  for (const { start, end, kind } of [...ranges]) {
    if (kind !== 'aws-key') continue
    const from = Math.max(0, start - 200)
    for (const { index, 0: secret } of text.slice(from, end + 300).matchAll(awsSecret)) {
      const isMixed = /[a-z]/.test(secret) && /[A-Z]/.test(secret) && /\d/.test(secret)
      if (isMixed && looksGenerated(secret))
        ranges.push({ start: from + index, end: from + index + secret.length, kind: 'aws-secret' })
    }
  }
}

/** Kinds that say only that something is secret; a token inside of it says more. */
const generalKinds = new Set(['password', 'authorization', 'key', 'token', 'encoded', 'cookie', 'url-password'])

/** Sorted and without overlap; overlapping ranges are joined under the most specific kind. */
function merge(ranges: readonly SecretRange[]): SecretRange[] {
  const merged: SecretRange[] = []
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (!last || range.start >= last.end) {
      merged.push({ ...range })
      continue
    }
    last.end = Math.max(last.end, range.end)
    if (generalKinds.has(last.kind) && !generalKinds.has(range.kind)) last.kind = range.kind
  }
  return merged
}
