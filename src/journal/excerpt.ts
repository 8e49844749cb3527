// The newest part of a conversation that fits, in whole exchanges: where one begins is known from the session, never looked
// for in the text.
import { truncateMiddle } from '../text/truncate.ts'
import type { Exchange } from './conversation.ts'

export function excerpt(exchanges: readonly Exchange[], max: number): string {
  const kept: string[] = []
  let room = max
  for (const exchange of exchanges.toReversed()) {
    const text = exchangeText(exchange)
    if (text.length + 2 > room) break
    kept.unshift(text)
    room -= text.length + 2
  }
  const last = exchanges.at(-1)
  if (kept.length === 0 && last) kept.push(shortExchange(last, max))
  const left = exchanges.length - kept.length
  const note = `(${left} earlier exchanges are left out)`
  if (left > 0 && room > note.length + 2) kept.unshift(note)
  return kept.join('\n\n')
}

function exchangeText({ prompt, replies }: Exchange): string {
  return [...(prompt ? [`USER:\n${prompt}`] : []), ...replies.map((reply) => `AGENT:\n${reply}`)].join('\n\n')
}

/** Of an exchange that is too long by itself: how it was asked, and how it came out. */
const gap = '\n(…)\n'

function shortExchange({ prompt, replies }: Exchange, max: number): string {
  const half = Math.floor(max / 2) - 30
  return exchangeText({
    at: null,
    prompt: truncateMiddle(prompt, half, gap),
    replies: [truncateMiddle(replies.join('\n\n'), half, gap)],
  })
}
