// Chooses the title of a session: what it turned out to be about, from what was asked, how much work
// followed, and the subjects of its commits.
import { contentWords } from '../text/content-words.ts'
import { ellipsize } from '../text/truncate.ts'
import type { ActivityKind } from './activity.ts'
import { isCorrection } from './classify-prompt.ts'
import type { DigestState } from './digest-state.ts'
import { minWeight, type PromptNote } from './prompt-notes.ts'
import { maxTitleLength, titleOfPrompt } from './prompt-title.ts'

type TitleSource = Pick<DigestState, 'prompts' | 'commits' | 'goal' | 'lastReply'>

/** The prompt that carries the work, else a commit, else the first sentence of the answer. */
export function titleOfSession(state: TitleSource, kind: ActivityKind): string {
  const { prompts = [], goal, lastReply } = state
  const commits = (state.commits ?? []).filter((subject) => !isRoutineCommit.test(subject))
  const best = bestCandidate(prompts, commits)
  if (best) return ellipsize(best.title, maxTitleLength)
  if (kind === 'health-check') return 'Health check'
  const task = titleOfPrompt(goal)
  if (task.weight >= minWeight) return task.text
  const weak = prompts.reduce<PromptNote | undefined>((a, b) => (b.weight > (a?.weight ?? 0) ? b : a), undefined)
  if (weak && weak.weight > hintWeight) return weak.title
  const answer = titleOfPrompt(lastReply)
  const isResult = answer.weight >= minWeight && !isApology.test(lastReply) && !/[?？]$/.test(answer.text)
  return isResult ? answer.text : weak?.title || task.text
}

/** Commits that say nothing about the work. */
const isRoutineCommit =
  /^(?:(?:chore|build|release|style|evidence)(?:\([\w-]+\))?: ?)?(?:release|bump|wip\b|merge (?:branch|pull|remote)|v?\d+\.\d+|fixup!|squash!|update$|fix$|checkpoint|capture)|\b(?:gofmt|prettier|eslint|lint|formatting|typos?)\b/i

/** Says how the agent will behave, not what it did. */
const isApology =
  /^(?:i (?:understand|apologi[sz]e|see|will follow)|i'(?:m sorry|ll follow)|sorry|understood|sure|of course)\b/i

interface Candidate {
  title: string
  score: number
  note: PromptNote | null
}

function bestCandidate(prompts: readonly PromptNote[], commits: readonly string[]): Candidate | undefined {
  const telling = prompts.filter(({ weight }) => weight >= minWeight)
  const centrality = centralityAmong([...telling.map(({ text }) => text), ...commits])
  const asked = telling.map((note, place) => ({
    note,
    title: note.title,
    score:
      note.weight *
      (isCorrection(note.act) ? correctionFactor : 1) *
      Math.log2(2 + workFor(prompts, note)) *
      (place === 0 ? firstBonus : 1) *
      (0.5 + centrality(note.title)),
  }))
  // With few prompts, what was asked says more than a commit.
  const isLong = telling.length >= manyPrompts || Math.max(0, ...telling.map(({ weight }) => weight)) < clearWeight
  const made = commits.map((title, place) => ({
    note: null,
    title,
    score:
      commitWeight * (place === 0 ? firstCommitBonus : 1) * Math.log2(2 + workOfCommit) * (0.5 + centrality(title)),
  }))
  return [...asked, ...(isLong ? made : [])].reduce<Candidate | undefined>(
    (best, one) => (best && best.score >= one.score ? best : one),
    undefined,
  )
}

/** What was asked first is usually what the session is about. */
const firstBonus = 2
/** A correction is about how, not about what. */
const correctionFactor = 0.5
/** From here on a prompt makes a better title than a commit. */
const clearWeight = 0.6
/** Up to here a prompt only refers to something else. */
const hintWeight = 0.25
const manyPrompts = 6
const commitWeight = 1.5
const firstCommitBonus = 1.3
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

/** How much of a session a title is about: the share of texts that contain its commonest words. */
function centralityAmong(texts: readonly string[]): (title: string) => number {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const word of new Set(contentWords(text))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return (title) => {
    const shares = [...new Set(contentWords(title))]
      .map((word) => (counts.get(word) ?? 0) / Math.max(1, texts.length))
      .sort((a, b) => b - a)
      .slice(0, wordsOfTitle)
    return shares.reduce((sum, share) => sum + share, 0) / wordsOfTitle
  }
}

const wordsOfTitle = 4
