// Transcripts that a large sweep has not read yet. Everything that is read can be searched meanwhile;
// this says how much is missing, also after a sweep that was stopped.
import { formatCount, formatSize, plural } from '../core/units.ts'
import { deleteValue, isObject, readChecked, writeValue } from './key-values.ts'
import type { Ledger } from './ledger.ts'

export interface UnreadTranscripts {
  transcripts: number
  bytes: number
  /** Of the whole sweep. */
  ofTranscripts: number
  ofBytes: number
}

const unreadKey = 'unread transcripts'

export function saveUnread(ledger: Ledger, unread: UnreadTranscripts): void {
  writeValue(ledger, unreadKey, { ...unread })
}

/** Writes only if there is something to remove: most sweeps are small. */
export function forgetUnread(ledger: Ledger): void {
  if (unreadTranscripts(ledger)) deleteValue(ledger, unreadKey)
}

export function unreadTranscripts(ledger: Ledger): UnreadTranscripts | undefined {
  return readChecked<UnreadTranscripts>(
    ledger,
    unreadKey,
    (value) =>
      isObject(value) &&
      ['transcripts', 'bytes', 'ofTranscripts', 'ofBytes'].every((name) => typeof value[name] === 'number'),
  )
}

/** A sentence for people and agents; undefined if everything is read. */
export function unreadNotice(ledger: Ledger): string | undefined {
  const unread = unreadTranscripts(ledger)
  if (!unread || unread.transcripts === 0) return undefined
  const { transcripts, bytes, ofTranscripts, ofBytes } = unread
  return `Still to be read: ${formatCount(transcripts)} of ${plural(ofTranscripts, 'transcript')} (${formatSize(bytes)} of ${formatSize(ofBytes)}), oldest last.`
}
