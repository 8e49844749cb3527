// The judge that forks the session itself. The fork has read everything and writes memory files,
// which pass admission like other drafts.
import { dirname } from 'node:path'
import { agents } from '../../agents/registry.ts'
import { isoTime } from '../../core/clock.ts'
import type { MemoryDraft } from '../../memory/draft.ts'
import { draftOf } from '../../memory/draft.ts'
import type { MemoryKind } from '../../memory/memory.ts'
import type { ForkQuestion } from '../../models/fork/ask-fork.ts'
import type { UnlearnedSession } from '../../store/memories/learning.ts'
import { listMemories } from '../../store/memories/memories.ts'
import { countMessagesSince } from '../../store/sessions/events.ts'
import { oneLine, truncate } from '../../text/truncate.ts'
import type { LearnContext } from '../context.ts'
import type { Utterance } from '../exchanges.ts'
import { parseMemoryFile } from '../files/parse.ts'
import { causeOf, type ModelVerdict } from './ask.ts'
import { findQuote } from './evidence.ts'

/**
 * Whether a fork is asked before all models, after them, or not at all. Only `claude` sessions can
 * be forked.
 */
export function forkPlace(
  { config }: LearnContext,
  { agent, source, cwd }: UnlearnedSession,
): 'first' | 'later' | undefined {
  const { order } = config.models
  const place = order.indexOf('claude-fork')
  const rules = order.indexOf('heuristic')
  const isReached = place >= 0 && (rules < 0 || place < rules)
  if (!isReached || source === null || cwd === null) return undefined
  if (!agents.find(({ id }) => id === agent)?.isForkable) return undefined
  return place === 0 ? 'first' : 'later'
}

/** Whether the order contains no other judge. */
export function forkIsAlone({ config }: LearnContext): boolean {
  return config.models.order.every((name) => name === 'claude-fork')
}

/** Sessions with more utterances are left to the other judges. */
export const maxForked = 50

/** `fromSeq` is where the utterances begin; the fork is told how many messages follow. */
export async function judgeByFork(
  context: LearnContext,
  session: UnlearnedSession,
  said: Utterance[],
  fromSeq: number,
): Promise<ModelVerdict> {
  if (said.length === 0) return { kind: 'answered', drafts: [], dropped: [], calls: [] }
  const answer = await context.fork(questionFor(context, session, fromSeq))
  const reason = answer.kind === 'answered' ? '' : `claude-fork: ${answer.reason}`
  if (answer.kind === 'failed') return { kind: 'missed', cause: 'failed', reason }
  if (answer.kind === 'unavailable')
    return answer.obstacle ? { kind: 'missed', cause: causeOf(answer.obstacle), reason } : { kind: 'unavailable' }
  const found = await Promise.all(answer.files.map(({ text }) => draftFrom(text, session, said)))
  const drafts = found.flat()
  return {
    kind: 'answered',
    drafts,
    dropped: found.flatMap((one) => (one.length === 0 ? [{ reason: 'no memory file', text: '' }] : [])),
    calls: answer.call === undefined ? [] : [answer.call],
  }
}

function questionFor({ ledger }: LearnContext, session: UnlearnedSession, fromSeq: number): ForkQuestion {
  const { uid, project, cwd, source } = session
  const known = listMemories(ledger, { project, withGlobal: true, state: 'kept', isCurrent: true, limit: 200 })
  return {
    uid,
    native: uid.slice(uid.indexOf(':') + 1),
    cwd: cwd!,
    // <home of Claude Code>/projects/<folder>/<session>.jsonl
    configDir: dirname(dirname(dirname(source!))),
    newMessages: countMessagesSince(ledger, session.id, fromSeq),
    manifest: known
      .map(
        ({ type, id, confirmedAt, text }) =>
          `${type} ${id} ${confirmedAt.slice(0, 10)} ${truncate(oneLine(text), 150)}`,
      )
      .join('\n'),
  }
}

async function draftFrom(file: string, session: UnlearnedSession, said: Utterance[]): Promise<MemoryDraft[]> {
  const parsed = await parseMemoryFile(file.replace(/^(Why|How to apply):/gm, '**$1:**'))
  if (parsed.kind === 'bad') return []
  const { text, why, apply, type, kind, tags } = parsed.said
  const last = said.at(-1)!
  const evidence = findQuote(said, text, said.length - 1)
  const utterance = evidence?.utterance ?? last
  const draft = draftOf(
    {
      kind: kind ?? kindOf[type ?? 'project'],
      text,
      quote: evidence?.quote ?? '',
      why,
      status: 'settled',
      scope: type === 'user' ? 'user' : 'project',
      importance: 0.75,
      tags: tags ?? [],
    },
    {
      project: session.project,
      evidence: [{ session: session.uid, event: utterance.event || null, quote: evidence?.quote ?? '' }],
      trust: evidence?.trust ?? 'agent said',
      because: 'model',
      at: utterance.at ?? isoTime(session.endedMs ?? 0),
    },
  )
  const supersedes = /^supersedes:\s*["']?(m-\w+)/m.exec(file)?.[1]
  return [{ ...draft, ...(type ? { type } : {}), apply, ...(supersedes ? { supersedes } : {}) }]
}

const kindOf: Record<'user' | 'feedback' | 'project' | 'reference', MemoryKind> = {
  user: 'fact',
  feedback: 'preference',
  project: 'decision',
  reference: 'fact',
}
