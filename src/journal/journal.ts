// journal: one file a day with an entry per session. Every entry is made from its digest at once; what a model can say better
// comes when the session has come to rest. The file is written before the ledger says so: a run that was killed in between
// finds its own entry there, and neither loses nor doubles it.
import type { Clock } from '../core/clock.ts'
import type { Zone } from '../core/units.ts'
import type { ModelQuestion, ModelResponse } from '../models/context.ts'
import type { Ledger } from '../store/ledger.ts'
import {
  hasSessionsToJournal,
  type JournalSession,
  markJournaled,
  memoriesOfSessions,
  sessionsToJournal,
} from '../store/wiki/journal.ts'
import { escapeMarkdown } from '../text/markdown.ts'
import { writeByModel } from './by-model.ts'
import { digestParts, entryText, withNewHead } from './entry.ts'
import { type Material, materialOf } from './material.ts'
import { type Telling, underJournalLock, writeDay } from './write-day.ts'

export interface JournalContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
  /** Given where models may be asked. */
  ask?: Ask
  /** Only sessions of so many days are worth asking for; 3 if not said. */
  freshDays?: number
}

export type Ask = <T>(question: ModelQuestion<T>) => Promise<ModelResponse<T>>

/** Tells of every session that has grown; gives back how many entries have changed. */
export async function writeJournal(context: JournalContext): Promise<{ entries: number }> {
  const told = await writeFromDigests(context)
  const improved = context.ask ? await writeByModel({ ...context, ask: context.ask }) : []
  return { entries: new Set([...told, ...improved]).size }
}

async function writeFromDigests(context: JournalContext): Promise<string[]> {
  const { ledger, clock, zone } = context
  if (!hasSessionsToJournal(ledger)) return []
  return await underJournalLock(ledger.layout, clock, () => {
    const due = sessionsToJournal(ledger)
    const telling = due.filter(isTold)
    settleOthers(ledger, due)
    const learned = memoriesOfSessions(ledger, telling)
    const days = Map.groupBy(telling, (session) => dayOf(session, zone))
    return [...days].flatMap(([day, sessions]) =>
      writeDay(
        ledger,
        clock,
        day,
        sessions.flatMap((session) => tellingOf(materialOf(context, session, learned.get(session.uid)))),
      ),
    )
  })
}

/** What another session started, what nobody said anything in, and what a person has made their own is not told. */
function isTold({ kind, quality, entry }: JournalSession): boolean {
  return kind !== 'subagent' && quality !== 'empty' && quality !== 'health-check' && entry?.writtenBy !== 'person'
}

function settleOthers(ledger: Ledger, due: readonly JournalSession[]): void {
  const others = due.filter((session) => !isTold(session))
  if (others.length === 0) return
  ledger.transaction(() => {
    for (const session of others) markJournaled(ledger, session)
  })
}

/** An entry stays on its day, also when the zone is another one later. */
function dayOf({ entry, started, capturedAt }: JournalSession, zone: Zone): string {
  return entry?.day ?? zone.day(started ?? capturedAt)
}

/** A session that goes on after a model wrote its entry keeps what the model said, until one is asked again. */
function tellingOf(material: Material | undefined): Telling | [] {
  if (!material) return []
  const { session } = material
  const author = session.entry?.writtenBy
  const fromDigest = () => entryText(material, digestParts(material))
  if (!author?.startsWith('model ')) return { session, text: fromDigest, author: 'digest' }
  const model = author.slice('model '.length).replace(/, grown$/, '')
  return {
    session,
    author: `model ${model}, grown`,
    text: (existing) =>
      existing
        ? withNewHead(material, existing, `written by ${escapeMarkdown(model, 80)}, went on since`)
        : fromDigest(),
  }
}
