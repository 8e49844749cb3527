// Fills a brief within its budget. Every section has a guaranteed share; unused budget goes to the
// other sections in order, and what is left then to longer forms of items. Items are kept in order.
import { estimateTokens } from '../text/tokens.ts'

export const maxTokens = 1500
/** Size as the JSON string that a hook prints, minus room for its envelope. */
export const maxBytes = 8800

export interface BriefItem {
  text: string
  /** Shorter form, used where the text does not fit. */
  short?: string
  /** Longer forms, each with more than the one before, used while there is room after all items. */
  longer?: readonly string[]
  session?: string
  memory?: string
}

export interface BriefSection {
  title: string
  /** A line below the title. */
  note?: string
  /** Share of the budget beside head and foot, in proportion to the other sections with items. */
  share: number
  items: BriefItem[]
  /** The command that lists everything, named if items are left out; there may be more of them. */
  more?: { command: string; isOpen: boolean }
}

export interface FilledBrief {
  text: string
  sessions: string[]
  memories: string[]
}

/** `reserved` are bytes that the hook prints besides the brief. */
export function fillSections(
  frame: { head: string; foot: string },
  sections: readonly BriefSection[],
  reserved = 0,
): FilledBrief {
  const { filling, marked } = fillWithMarks(frame, sections, maxBytes - reserved)
  const filled = filling.filter(({ items }) => items.length > 0)
  const parts = filled.map((one) => {
    const mark = marked.has(one.section) ? [moreLine(one.section, leftOut(one))] : []
    return [sectionHead(one.section), ...one.items.map(({ text }) => text), ...mark].join('\n')
  })
  const items = filled.flatMap((one) => one.items)
  return {
    text: `${[frame.head, ...parts].join('\n')}\n${frame.foot}`,
    sessions: [...new Set(items.flatMap(({ session }) => session ?? []))],
    memories: [...new Set(items.flatMap(({ memory }) => memory ?? []))],
  }
}

/**
 * Fills the sections, with room for a line in each one that leaves something out. That line may
 * push out more, so it is repeated until every such section has its room.
 */
function fillWithMarks(
  frame: { head: string; foot: string },
  sections: readonly BriefSection[],
  maxBytes: number,
): { filling: SectionFill[]; marked: Set<BriefSection> } {
  const marked = new Set<BriefSection>()
  for (;;) {
    const filling = fill(
      frame,
      sections,
      maxBytes,
      [...marked].map((section) => `${moreLine(section, 999)}\n`).join(''),
    )
    const cut = filling.filter((one) => one.section.more && leftOut(one) > 0 && !marked.has(one.section))
    if (cut.length === 0) return { filling, marked: new Set([...marked].filter((one) => isCut(filling, one))) }
    for (const { section } of cut) marked.add(section)
  }
}

function isCut(filling: readonly SectionFill[], section: BriefSection): boolean {
  return filling.some((one) => one.section === section && leftOut(one) > 0)
}

function leftOut({ section, items }: SectionFill): number {
  return section.items.length - items.length
}

function moreLine({ more }: BriefSection, count: number): string {
  return `- and ${more!.isOpen ? 'more than ' : ''}${count} more: "${more!.command}"`
}

function fill(
  { head, foot }: { head: string; foot: string },
  sections: readonly BriefSection[],
  maxBytes: number,
  marks: string,
): SectionFill[] {
  const frame = sizeOf(`${head}\n${foot}${marks}`)
  const room = { tokens: maxTokens - frame.tokens, bytes: maxBytes - frame.bytes }
  const filling = sections.map((section) => ({ section, items: [] as BriefItem[] }))
  const shares = sections.reduce((sum, { share, items }) => sum + (items.length > 0 ? share : 0), 0)
  let left = room
  for (const one of filling) {
    const part = one.section.share / shares
    const share = { tokens: room.tokens * part, bytes: room.bytes * part }
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
  lengthenItems(filling, left)
  return filling
}

/** Every item gets its first longer form before any gets its second. */
function lengthenItems(filling: readonly SectionFill[], room: TextSize): void {
  const items = filling.flatMap((one) => one.items)
  const levels = Math.max(0, ...items.map(({ longer = [] }) => longer.length))
  let left = room
  for (let level = 0; level < levels; level++) {
    for (const item of items) {
      const form = item.longer?.[level]
      if (form === undefined) continue
      const more = subtract(sizeOf(form), sizeOf(item.text))
      if (!fits(more, left)) continue
      left = subtract(left, more)
      item.text = form
    }
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
    const before = items.length === 0 ? `${sectionHead(section)}\n` : ''
    const form = formsOf(item).find((text) => fits(sizeOf(`${before}${text}\n`), left))
    if (form === undefined) break
    left = subtract(left, sizeOf(`${before}${form}\n`))
    items.push({ ...item, text: form })
  }
  return subtract(room, left)
}

export function sectionHead({ title, note }: Pick<BriefSection, 'title' | 'note'>): string {
  return `\n## ${title}${note === undefined ? '' : `\n${note}`}`
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
