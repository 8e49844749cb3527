// The question to a model that judges: the person's words whole, each reply of the agent once and
// cut, what rules found and what is known. A session at rest is one question.
import type { Memory } from '../../memory/memory.ts'
import type { ModelQuestion } from '../../models/context.ts'
import { oneLine, truncate, truncateMiddle } from '../../text/truncate.ts'
import { type Utterance, utteranceOf } from '../exchanges.ts'
import { type JudgeAnswer, judgeAnswer } from './answer.ts'
import { judgeInstructions } from './instructions.ts'
import { candidateName, type ModelWindow } from './window.ts'

/** What the ledger knows about the exchanges when the question is asked. */
export interface JudgeContext {
  candidates: readonly Memory[]
  known: readonly Memory[]
}

export function questionFor(
  { session, task, said, earlier }: ModelWindow,
  { candidates, known }: JudgeContext,
): ModelQuestion<JudgeAnswer> {
  const system = judgeInstructions(task)
  const conversation = conversationText(said)
  const text = [
    earlier && `<earlier>\n${earlier}\n</earlier>`,
    block('known', known.map(knownLine)),
    block(
      'candidates',
      candidates.map((one, index) => `${candidateName(index)} [${placeOf(said, one)}]: ${cut(one.text, 300)}`),
    ),
    `<conversation>\n${conversation}\n</conversation>`,
  ]
    .filter(Boolean)
    .join('\n')
  const words = said.reduce((sum, { prompt }) => sum + prompt.length, 0)
  return {
    purpose: 'memories',
    session,
    system,
    text,
    maxTextLength,
    personShare: words / text.length,
    schema: judgeAnswer,
    maxOutputTokens: task === 'session' ? 2500 : 1200,
  }
}

function block(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<${name}>\n${lines.join('\n')}\n</${name}>`
}

function knownLine({ id, kind, status, confirmedAt, text }: Memory): string {
  return `${id} ${kind}, ${status}, ${confirmedAt.slice(0, 10)}: ${cut(text, 200)}`
}

function cut(text: string, max: number): string {
  return truncate(oneLine(text), max)
}

function placeOf(said: readonly Utterance[], { evidence }: Memory): number {
  const place = evidence.map((one) => utteranceOf(said, one)).find((one) => one !== undefined)
  return place ? said.indexOf(place) + 1 : 0
}

/** Characters of the conversation in one question, and of a whole question. */
export const maxConversation = 48_000
const maxTextLength = 64_000

/** A prompt of a person is shown whole, unless it is a document. */
export const maxPrompt = 6000
const [minReply, maxReply] = [400, 1000]

/**
 * Replies give the context of what the person said. Together they are about four times as long as
 * the person's words, so that those are not lost among them.
 */
const repliesPerWord = 4

function conversationText(said: readonly Utterance[]): string {
  const lines: string[] = []
  const max = replyLengthFor(said.map(({ prompt }) => prompt.length))
  for (const [index, { at, prompt, before, after }] of said.entries()) {
    // The reply before a prompt is the one after the prompt before it.
    const isShown = index > 0 && isSameReply(said[index - 1]!.after, before)
    if (before !== '' && !isShown) lines.push(`AGENT: ${truncateMiddle(before, max)}`)
    lines.push(`[${index + 1}] ${at ? `${at.slice(0, 16)} ` : ''}PERSON: ${truncateMiddle(prompt, maxPrompt)}`)
    if (after !== '') lines.push(`AGENT: ${truncateMiddle(after, max)}`)
  }
  return lines.join('\n')
}

/** Characters that are shown of each reply, from the lengths of the prompts. */
export function replyLengthFor(prompts: readonly number[]): number {
  const words = prompts.reduce((sum, length) => sum + Math.min(length, maxPrompt), 0)
  return Math.min(maxReply, Math.max(minReply, Math.floor((repliesPerWord * words) / Math.max(1, prompts.length))))
}

function isSameReply(after: string, before: string): boolean {
  return after === before || after.endsWith(before.slice(-100)) || before.startsWith(after.slice(0, 100))
}

/** Splits the utterances into as many questions as are needed to show all of them. */
export function splitToFit(said: readonly Utterance[]): Utterance[][] {
  if (conversationText(said).length <= maxConversation || said.length < 2) return [[...said]]
  const middle = Math.ceil(said.length / 2)
  return [...splitToFit(said.slice(0, middle)), ...splitToFit(said.slice(middle))]
}
