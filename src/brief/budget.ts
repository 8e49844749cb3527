// A brief has little room and many who want it. Every section has a share that no other can take; what one does not need goes
// to those that have more to tell, in order. Items are whole, and nothing is told before what stands above it.
import { estimateTokens } from '../text/tokens.ts'

export const maxTokens = 1500
/** As the JSON string that a hook prints, with room for what stands around it. */
export const maxBytes = 8800

export interface Item {
  text: string
  /** What is told of it where all of it has no room. */
  short?: string
  session?: string
  memory?: string
}

export interface Section {
  title: string
  /** Of the room that is left beside the frame; those of all sections are 1 together. */
  share: number
  items: Item[]
}

export interface Filled {
  text: string
  sessions: string[]
  memories: string[]
}

export function fill({ head, foot }: { head: string; foot: string }, sections: readonly Section[]): Filled {
  const frame = sizeOf(`${head}\n${foot}`)
  const room = { tokens: maxTokens - frame.tokens, bytes: maxBytes - frame.bytes }
  const filling = sections.map((section) => ({ section, told: [] as Item[] }))
  let left = room
  for (const one of filling) {
    const share = { tokens: room.tokens * one.section.share, bytes: room.bytes * one.section.share }
    left = without(
      left,
      take(one, share, ({ text }) => [text]),
    )
  }
  for (const one of filling) {
    left = without(
      left,
      take(one, left, ({ text, short }) => (short === undefined ? [text] : [text, short])),
    )
  }
  const told = filling.filter(({ told }) => told.length > 0)
  const parts = told.map(({ section, told }) => [heading(section), ...told.map(({ text }) => text)].join('\n'))
  const items = told.flatMap(({ told }) => told)
  return {
    text: `${[head, ...parts].join('\n')}\n${foot}`,
    sessions: [...new Set(items.flatMap(({ session }) => session ?? []))],
    memories: [...new Set(items.flatMap(({ memory }) => memory ?? []))],
  }
}

interface Size {
  tokens: number
  bytes: number
}

interface Filling {
  section: Section
  told: Item[]
}

/** Tells more items, in their order, as long as one of their forms has room; gives back what they need. */
function take({ section, told }: Filling, room: Size, formsOf: (item: Item) => string[]): Size {
  let left = room
  for (const item of section.items.slice(told.length)) {
    const before = told.length === 0 ? `${heading(section)}\n` : ''
    const form = formsOf(item).find((text) => fits(sizeOf(`${before}${text}\n`), left))
    if (form === undefined) break
    left = without(left, sizeOf(`${before}${form}\n`))
    told.push({ ...item, text: form })
  }
  return without(room, left)
}

function heading({ title }: Section): string {
  return `\n## ${title}`
}

/** Sizes of parts add up to no less than the size of the whole. */
function sizeOf(text: string): Size {
  return { tokens: estimateTokens(text), bytes: Buffer.byteLength(JSON.stringify(text)) - 2 }
}

function fits(size: Size, room: Size): boolean {
  return size.tokens <= room.tokens && size.bytes <= room.bytes
}

function without(room: Size, size: Size): Size {
  return { tokens: room.tokens - size.tokens, bytes: room.bytes - size.bytes }
}
