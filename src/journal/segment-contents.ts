// Reads what a session says on one day: what was decided, found out, put off and answered.
import { type DigestState, eventFolder, newDigestState } from '../digest/digest-state.ts'
import { followSignals } from '../digest/passing-signals.ts'
import { exchangesIn } from '../learn/exchanges.ts'
import type { SessionBody, StoredEvent } from '../store/sessions/bodies.ts'
import { summariseEvent } from '../store/sessions/events.ts'
import { causeReader } from './causes.ts'
import { type Decision, decisionsIn } from './decisions.ts'
import { withClosedCode } from './prose.ts'
import { putOffIn } from './put-off.ts'
import type { DaySegment } from './segments.ts'

export interface SegmentContents {
  /** The digest of a part; that of a whole session exists. */
  state: DigestState | undefined
  decisions: readonly Decision[]
  /** Causes of failures that the agent found. */
  causes: readonly string[]
  /** What the person put off. */
  putOff: readonly string[]
  /** The last two: a digest leaves out one that turned out to be the summary of a compaction. */
  replies: string[]
  /** Last replies of exchanges before the last one, latest first. */
  closing: string[]
}

/** Whether the segment is all of its session. */
export function isWholeSession({ previousDay, nextDay }: DaySegment): boolean {
  return previousDay === null && nextDay === null
}

/** `events` begin at the first one of the segment. */
export function readContents(agent: string, segment: DaySegment, events: Iterable<StoredEvent>): SegmentContents {
  const { fromSeq, toSeq } = segment
  const part = isWholeSession(segment) ? undefined : partFolder()
  const followed = part ? undefined : followSignals()
  const decisions: Decision[] = []
  const putOff: string[] = []
  const reader = causeReader()
  let replies: string[] = []
  let closing: string[] = []
  const fold = (event: StoredEvent) => {
    if (event.kind === 'prompt' && replies.length > 0) closing = [replies.at(-1)!, ...closing].slice(0, 3)
    if (event.kind === 'reply') replies = [...replies.slice(-1), event.text.trim()]
    followed?.follow(event)
    part?.folder.fold({ seq: event.seq, ...summariseEvent(event) })
    reader.read(event, followed?.signals ?? part!.state.signals)
  }
  for (const { said } of exchangesIn(agent, eventsBefore(toSeq, events, fold), fromSeq))
    for (const utterance of said) {
      const before = withClosedCode(utterance.before)
      decisions.push(...decisionsIn({ ...utterance, before }))
      putOff.push(...putOffIn(utterance.prompt, before))
    }
  part?.folder.finish()
  return {
    state: part?.state,
    decisions,
    causes: reader.causes(),
    putOff: putOff.slice(0, maxPutOff),
    replies,
    closing,
  }
}

const maxPutOff = 4

/** A state without friction, which a journal does not tell. */
function partFolder() {
  const { friction: _, ...rest } = newDigestState()
  const state: DigestState = rest
  return { state, folder: eventFolder(state) }
}

function* eventsBefore(
  toSeq: number,
  events: Iterable<StoredEvent>,
  visit: (event: StoredEvent) => void,
): Generator<StoredEvent> {
  for (const event of events) {
    if (event.seq >= toSeq) return
    visit(event)
    yield event
  }
}

/** Names the part of a text that contents were read from. */
export function contentsKey({ file, bytes }: SessionBody, segment: DaySegment): string {
  return [file, bytes, segment.fromSeq, segment.toSeq, isWholeSession(segment)].join(' ')
}
