// What a session was asked, prompt by prompt: a bounded list with how much each prompt says and how
// much work followed it. Title, goal and thread of a session are chosen from it.
import { humanText } from '../text/human-text.ts'
import { ellipsizeSentence, oneLine } from '../text/truncate.ts'
import { isCorrection, isHealthCheck, type SpeechAct, saysNothing, templateMarks } from './classify-prompt.ts'
import { titleOfPrompt } from './prompt-title.ts'
import { requestGist } from './request-gist.ts'
import type { Clarity } from './sentence-title.ts'

export interface PromptNote {
  seq: number
  /** What the person wrote, on one line, without what they pasted. */
  text: string
  title: string
  /** From 0 ("yes") to 1 (says what is to be done). */
  weight: number
  /** Tool calls, edits and commits until the next prompt. */
  work: number
  act: SpeechAct
  /** Subject of the first commit that followed. */
  commit?: string
  /** Of the title; missing if it is clear. */
  clarity?: Clarity
  /** Only output of a program was pasted. */
  isLog?: boolean
  /** The prompt is only pasted output; the text is taken from it. */
  isPasted?: boolean
}

/** A part of what was asked over a session. */
export interface ThreadPart {
  seq: number
  part: 'first' | 'then' | 'last'
  text: string
  /** The text is from pasted output. */
  isPasted?: boolean
}

const maxNotes = 40
/** Always kept: the beginning and the end. */
const firstNotes = 3
const lastNotes = 8
const maxTextLength = 400

export function addPromptNote(notes: PromptNote[], seq: number, prompt: string, act: SpeechAct): void {
  const own = ownWords(prompt)
  const again = notes.slice(-nearNotes).find((note) => isSame(note, own))
  if (again) {
    notes.splice(notes.indexOf(again), 1)
    notes.push({ ...again, seq })
    return
  }
  const { text: title, weight, clarity, isLog } = titleOfPrompt(prompt)
  const note: PromptNote = { seq, text: own || title, title, weight, work: 0, act }
  if (clarity !== 'clear') note.clarity = clarity
  if (isLog) note.isLog = true
  if (own === '' && humanText(prompt).hasPaste && !isHandedOver.test(prompt)) note.isPasted = true
  notes.push(note)
  if (notes.length <= maxNotes) return
  const inner = notes.slice(firstNotes, -lastNotes)
  const least = inner.reduce((one, other) => (merit(other) < merit(one) ? other : one))
  notes.splice(notes.indexOf(least), 1)
}

/** A prompt that was sent again soon is the same request. */
const nearNotes = 3

/** Whether a prompt that says something has the same words as an earlier one. */
export function repeats(note: PromptNote | undefined, prompt: string): boolean {
  return note !== undefined && isSame(note, ownWords(prompt))
}

function isSame(note: PromptNote, own: string): boolean {
  return note.weight > 0 && own !== '' && note.text === own
}

/** Counts work for the last prompt; a commit says more than a look into a file. */
export function creditWork(notes: PromptNote[], work: number): void {
  const last = notes.at(-1)
  if (last) last.work += work
}

/** Counts a commit for the last prompt and keeps its subject. */
export function creditCommit(notes: PromptNote[], subject: string): void {
  creditWork(notes, 5)
  const last = notes.at(-1)
  if (last && last.commit === undefined && tellsWork(subject)) last.commit = subject
}

/** Whether the subject of a commit says something about the work. */
export function tellsWork(subject: string): boolean {
  return subject !== '' && !routine.test(subject) && !/\$\w/.test(subject)
}

const routine =
  /^(?:(?:chore|build|release|style|evidence)(?:\([\w-]+\))?: ?)?(?:release|bump|wip\b|merge (?:branch|pull|remote)|v?\d+\.\d+|fixup!|squash!|update$|fix$|checkpoint|capture)|\b(?:gofmt|prettier|eslint|lint(?:er)?|formatting|typos?|import order)\b/i

/** Below this a prompt is not understood alone. */
export const minWeight = 0.4

function merit({ weight, work }: PromptNote): number {
  return weight * Math.log2(2 + work)
}

/** First and last request, and the weightiest ones between them, in order. */
export function threadOf(notes: readonly PromptNote[], maxParts = 6): ThreadPart[] {
  const requests = notes.filter((note, place) => isAsk(note) && isFirst(notes, place))
  // A correction says what changed on the way, also where it refers to the message before.
  const telling = requests.filter(({ weight, act }) => weight >= minWeight || (isCorrection(act) && weight > 0))
  const first = telling[0] ?? requests[0]
  if (!first) return []
  const last = requests.at(-1)!
  const between = telling
    .filter((note) => note !== first && note !== last && note.seq > first.seq)
    .sort((a, b) => merit(b) - merit(a))
    .slice(0, Math.max(0, maxParts - 2))
    .sort((a, b) => a.seq - b.seq)
  const part = ({ seq, text, isPasted }: PromptNote, name: ThreadPart['part']) => ({
    ...{ seq, part: name, text },
    ...(isPasted ? { isPasted } : {}),
  })
  return [
    part(first, 'first'),
    ...between.map((note) => part(note, 'then')),
    ...(last === first ? [] : [part(last, 'last')]),
  ]
}

function isAsk({ act, text, isLog }: PromptNote): boolean {
  return act !== 'approval' && !isLog && text !== '' && !saysNothing(text) && !isHealthCheck(text)
}

function isFirst(notes: readonly PromptNote[], place: number): boolean {
  return notes.findIndex(({ text }) => text === notes[place]!.text) === place
}

/** A task that a program or another agent wrote: it has headings, or says who the agent is. */
const isHandedOver = /^#{1,4} \S|^\s*(?:you are|please|implement|execute|follow|given)\b|\b(?:json|xml)\b/im

/** The person's own words, without what they pasted or handed over. */
function ownWords(prompt: string): string {
  if (lastPrompt?.prompt !== prompt) lastPrompt = { prompt, words: readOwnWords(prompt) }
  return lastPrompt.words
}

/** A cache: a prompt is compared with the one before it, and then noted. */
let lastPrompt: { prompt: string; words: string } | undefined

function readOwnWords(prompt: string): string {
  const plain = prompt.replace(templateMarks, ' ')
  const own = humanText(plain).spans.map(({ start, end }) => plain.slice(start, end))
  return ellipsizeSentence(oneLine(requestGist(own.join('\n'), maxTextLength)), maxTextLength)
}
