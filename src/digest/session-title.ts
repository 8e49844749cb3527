// Chooses the title of a session: what it turned out to be about, from what was asked, how much work
// followed, and the subjects of its commits.
import { ellipsize } from '../text/truncate.ts'
import type { ActivityKind } from './activity.ts'
import { isCorrection } from './classify-prompt.ts'
import type { DigestState } from './digest-state.ts'
import { minWeight, type PromptNote, tellsWork } from './prompt-notes.ts'
import { titleOfPrompt } from './prompt-title.ts'
import { topicWords } from './sentence-title.ts'
import { maxTitleLength } from './shorten-title.ts'

type TitleSource = Pick<DigestState, 'prompts' | 'commits' | 'goal' | 'lastReply' | 'firstCommand'>

/** The prompt that carries the work, else a commit, else the first sentence of the answer. */
export function titleOfSession(state: TitleSource, kind: ActivityKind): string {
  const { prompts = [], goal, lastReply } = state
  const best = bestCandidate(prompts, (state.commits ?? []).filter(tellsWork))
  if (best) return ellipsize(best.title, maxTitleLength)
  if (kind === 'health-check') return 'Health check'
  const task = titleOfPrompt(goal)
  if (task.weight >= minWeight && !task.isLog) return task.text
  const weak = prompts.reduce<PromptNote | undefined>((a, b) => (b.weight > (a?.weight ?? 0) ? b : a), undefined)
  if (weak && weak.weight > hintWeight) return weak.title
  if (task.weight > hintWeight && !task.isLog) return task.text
  const answer = titleOfPrompt(lastReply)
  const isResult = answer.weight >= minWeight && !isNoResult.test(answer.text) && !isNoResult.test(lastReply)
  if (isResult && !/[?？]$/.test(answer.text)) return answer.text
  return weak?.title || task.text || (state.commits?.[0] ?? (kind === 'empty' ? '' : (state.firstCommand ?? '')))
}

/** Says how the agent will behave, what it lacks or what it offers, not what it did. */
const isNoResult =
  /^(?:i (?:understand|apologi[sz]e|see|will follow|don't (?:have|see))|i'(?:m sorry|m ready|ll follow|d be happy)|sorry|understood|sure|of course|(?:it )?(?:seems|looks|appears)(?: like| that)? you|you(?:'ve| have)? (?:shared|provided|pasted)|please (?:provide|share|add|let|tell)|if you (?:have|need|want|would|'d)|let me know|feel free|how can i|to (?:proceed|help|get started))\b/i

interface Candidate {
  title: string
  score: number
  note: PromptNote | null
}

function bestCandidate(prompts: readonly PromptNote[], commits: readonly string[]): Candidate | undefined {
  const { asked, made, isLong } = candidates(prompts, commits)
  // With few prompts, what was asked says more than a commit, if it is said clearly.
  const hasClear = asked.some(({ note }) => (note?.weight ?? 0) >= clearWeight)
  const best = highest(isLong || !hasClear ? [...asked, ...made] : asked)
  if (!best?.note?.clarity) return best
  const commit = best.note.commit ?? (isLong ? undefined : highest(made)?.title)
  return commit !== undefined && saysMore(commit, best.note) ? { ...best, title: commit } : best
}

/** Whether a commit makes a better title than a prompt that is not clear: its subject may tell only how it was done. */
function saysMore(commit: string, { text, clarity }: PromptNote): boolean {
  if (commit.length > maxTitleLength) return false
  const words = topicWords(text)
  return clarity === 'unclear' || [...topicWords(commit)].filter((word) => words.has(word)).length >= 2
}

function candidates(prompts: readonly PromptNote[], commits: readonly string[]) {
  const telling = prompts.filter(({ weight }) => weight >= minWeight)
  const isLong = telling.length >= manyPrompts
  const centrality = centralityAmong([
    ...telling.map((note) => ({ text: note.text, work: isLong ? workFor(prompts, note) : 0 })),
    ...commits.map((text) => ({ text, work: isLong ? workOfCommit : 0 })),
  ])
  // In a long session a single prompt counts less than what most of the work was about.
  const credit = (title: string, work: number) =>
    isLong ? (4 + Math.log2(2 + work)) * (0.1 + centrality(title)) : Math.log2(2 + work) * (0.5 + centrality(title))
  const asked: Candidate[] = telling.map((note, place) => ({
    note,
    title: note.title,
    score:
      (isLong && note.clarity ? Math.min(note.weight, unclearWeight) : note.weight) *
      (isCorrection(note.act) ? correctionFactor : 1) *
      (place > 0 ? 1 : isLong ? longFirstBonus : firstBonus) *
      credit(note.title, workFor(prompts, note)),
  }))
  const made: Candidate[] = commits.map((title, place) => ({
    note: null,
    title,
    score:
      commitWeight *
      (place === 0 && commits.length <= fewCommits ? firstCommitBonus : 1) *
      (title.length > maxTitleLength ? longFactor : 1) *
      credit(title, workOfCommit),
  }))
  return { asked, made, isLong }
}

function highest(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>(
    (best, one) => (best && best.score >= one.score ? best : one),
    undefined,
  )
}

/** What was asked first is usually what the session is about, unless it went on for long. */
const firstBonus = 2
const longFirstBonus = 1.5
/** A correction is about how, not about what. */
const correctionFactor = 0.5
/** A question or half a sentence makes no good title. */
const unclearWeight = 0.6
const longFactor = 0.8
/** From here on a prompt makes a better title than a commit. */
const clearWeight = 0.6
/** Up to here a prompt only refers to something else. */
const hintWeight = 0.15
const manyPrompts = 6
const commitWeight = 1.5
const firstCommitBonus = 1.3
const fewCommits = 3
const workOfCommit = 30

/**
 * The prompt that says what to do and that most work follows. The work after "yes" or "go on" counts
 * for the prompt that it agrees to.
 */
export function carryingPrompt(prompts: readonly PromptNote[]): PromptNote | undefined {
  return bestCandidate(prompts, [])?.note ?? undefined
}

function workFor(prompts: readonly PromptNote[], note: PromptNote): number {
  let work = note.work
  for (const later of prompts.slice(prompts.indexOf(note) + 1)) {
    if (later.weight >= minWeight) break
    work += later.work
  }
  return work
}

/** How much of the work of a session a title is about: the share of work whose texts have its commonest words. */
function centralityAmong(parts: readonly { text: string; work: number }[]): (title: string) => number {
  const shares = new Map<string, number>()
  const sizes = parts.map(({ work }) => Math.sqrt(1 + work))
  const total = Math.max(
    1,
    sizes.reduce((sum, size) => sum + size, 0),
  )
  for (const [place, { text }] of parts.entries())
    for (const word of topicWords(text)) shares.set(word, (shares.get(word) ?? 0) + sizes[place]! / total)
  return (title) => {
    const found = [...topicWords(title)]
      .map((word) => shares.get(word) ?? 0)
      .sort((a, b) => b - a)
      .slice(0, wordsOfTitle)
    return found.reduce((sum, share) => sum + share, 0) / wordsOfTitle
  }
}

const wordsOfTitle = 4
