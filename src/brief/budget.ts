// Fills a brief within its budget. Every section has a guaranteed share; unused budget goes to the
// other sections in order. Items are kept whole and in order.
import { estimateTokens } from '../text/tokens.ts'

export const maxTokens = 1500
/** Size as the JSON string that a hook prints, minus room for its envelope. */
export const maxBytes = 8800

export interface BriefItem {
  text: string
  /** Shorter form, used where the text does not fit. */
  short?: string
  session?: string
  memory?: string
}

export interface BriefSection {
  title: string
  /** Share of the budget beside head and foot; all shares add up to 1. */
  share: number
  items: BriefItem[]
}

export interface FilledBrief {
  text: string
  sessions: string[]
  memories: string[]
}

export function fillSections(
  { head, foot }: { head: string; foot: string },
  sections: readonly BriefSection[],
): FilledBrief {
  const frame = sizeOf(`${head}\n${foot}`)
  const room = { tokens: maxTokens - frame.tokens, bytes: maxBytes - frame.bytes }
  const filling = sections.map((section) => ({ section, items: [] as BriefItem[] }))
  let left = room
  for (const one of filling) {
    const share = { tokens: room.tokens * one.section.share, bytes: room.bytes * one.section.share }
    left = subtract(
      left,
      takeItems(one, share, ({ text }) => [text]),
    )
  }
  for (const one of filling) {
    left = subtract(
      left,
      takeItems(one, left, ({ text, short }) => (short === undefined ? [text] : [text, short])),
    )
  }
  const filled = filling.filter(({ items }) => items.length > 0)
  const parts = filled.map(({ section, items }) => [heading(section), ...items.map(({ text }) => text)].join('\n'))
  const items = filled.flatMap((one) => one.items)
  return {
    text: `${[head, ...parts].join('\n')}\n${foot}`,
    sessions: [...new Set(items.flatMap(({ session }) => session ?? []))],
    memories: [...new Set(items.flatMap(({ memory }) => memory ?? []))],
  }
}

interface TextSize {
  tokens: number
  bytes: number
}

interface SectionFill {
  section: BriefSection
  items: BriefItem[]
}

/** Adds items in order as long as one of their forms fits; returns the size used. */
function takeItems({ section, items }: SectionFill, room: TextSize, formsOf: (item: BriefItem) => string[]): TextSize {
  let left = room
  for (const item of section.items.slice(items.length)) {
    const before = items.length === 0 ? `${heading(section)}\n` : ''
    const form = formsOf(item).find((text) => fits(sizeOf(`${before}${text}\n`), left))
    if (form === undefined) break
    left = subtract(left, sizeOf(`${before}${form}\n`))
    items.push({ ...item, text: form })
  }
  return subtract(room, left)
}

function heading({ title }: BriefSection): string {
  return `\n## ${title}`
}

/** The sizes of parts add up to at least the size of the whole. */
function sizeOf(text: string): TextSize {
  return { tokens: estimateTokens(text), bytes: Buffer.byteLength(JSON.stringify(text)) - 2 }
}

function fits(size: TextSize, room: TextSize): boolean {
  return size.tokens <= room.tokens && size.bytes <= room.bytes
}

function subtract(room: TextSize, size: TextSize): TextSize {
  return { tokens: room.tokens - size.tokens, bytes: room.bytes - size.bytes }
}
