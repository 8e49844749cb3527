// What a session was asked, prompt by prompt: a bounded list with how much each prompt says and how
// much work followed it. Title, goal and thread of a session are chosen from it.
import { humanText } from '../text/human-text.ts'
import { ellipsizeSentence, oneLine } from '../text/truncate.ts'
import { isCorrection, type SpeechAct, templateMarks } from './classify-prompt.ts'
import { titleOfPrompt } from './prompt-title.ts'
import { requestGist } from './request-gist.ts'

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
  const { text: title, weight } = titleOfPrompt(prompt)
  const own = ownWords(prompt)
  const isPasted = own === '' && humanText(prompt).hasPaste && !isHandedOver.test(prompt)
  notes.push({ seq, text: own || title, title, weight, work: 0, act, ...(isPasted ? { isPasted } : {}) })
  if (notes.length <= maxNotes) return
  const inner = notes.slice(firstNotes, -lastNotes)
  const least = inner.reduce((one, other) => (merit(other) < merit(one) ? other : one))
  notes.splice(notes.indexOf(least), 1)
}

/** Counts work for the last prompt; a commit says more than a look into a file. */
export function creditWork(notes: PromptNote[], work: number): void {
  const last = notes.at(-1)
  if (last) last.work += work
}

/** Below this a prompt is not understood alone. */
export const minWeight = 0.4

function merit({ weight, work }: PromptNote): number {
  return weight * Math.log2(2 + work)
}

/** First and last request, and the weightiest ones between them, in order. */
export function threadOf(notes: readonly PromptNote[], maxParts = 6): ThreadPart[] {
  const requests = notes.filter(({ act, text }) => act !== 'approval' && text !== '')
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

/** A task that a program or another agent wrote: it has headings, or says who the agent is. */
const isHandedOver = /^#{1,4} \S|^\s*(?:you are|please|implement|execute|follow|given)\b|\b(?:json|xml)\b/im

/** The person's own words, without what they pasted or handed over. */
function ownWords(prompt: string): string {
  const plain = prompt.replace(templateMarks, ' ')
  const own = humanText(plain).spans.map(({ start, end }) => plain.slice(start, end))
  return ellipsizeSentence(oneLine(requestGist(own.join('\n'), maxTextLength)), maxTextLength)
}
