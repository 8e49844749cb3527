// Fits a conversation into a number of tokens: the latest exchanges stay whole, of older ones the
// results of tools and long arguments are shortened, and the oldest are left out.
import type { ConversationItem } from '../core/conversation/conversation.ts'
import type { Json } from '../core/session.ts'
import { estimateTokens } from '../text/tokens.ts'
import { truncateMiddle } from '../text/truncate.ts'

export interface FittedConversation {
  items: ConversationItem[]
  /** Items that were left out, all of them before those that stay. */
  omitted: number
  /** Calls of which a part was left out. */
  shortened: number
}

/** The share of the budget in which nothing is shortened, counted from the end. */
const wholeShare = 0.5
/** In characters: what stays of a long text in the latest part, and before it. */
const maxLatest = 40_000
const maxOlder = 1200

export function fitConversation(items: readonly ConversationItem[], maxTokens: number): FittedConversation {
  const kept: ConversationItem[] = []
  let spent = 0
  let shortened = 0
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at]!
    const short = shorten(item, spent < maxTokens * wholeShare ? maxLatest : maxOlder)
    const cost = tokensOf(short)
    if (spent + cost > maxTokens && kept.length > 0) return beginAtPrompt(kept, at + 1, shortened)
    spent += cost
    if (short !== item) shortened++
    kept.unshift(short)
  }
  return { items: kept, omitted: 0, shortened }
}

/** An answer without its question is not understood; a single long exchange is kept from its middle. */
function beginAtPrompt(kept: ConversationItem[], omitted: number, shortened: number): FittedConversation {
  const first = kept.findIndex(({ kind }) => kind === 'prompt')
  const from = Math.max(0, first)
  return { items: kept.slice(from), omitted: omitted + from, shortened }
}

function tokensOf(item: ConversationItem): number {
  const frame = 12
  if (item.kind !== 'call') return estimateTokens(item.text) + frame
  return estimateTokens(JSON.stringify(item.input)) + estimateTokens(item.result?.text ?? '') + 2 * frame
}

/** The same item if nothing is too long. */
function shorten(item: ConversationItem, max: number): ConversationItem {
  if (item.kind !== 'call') {
    const text = cut(item.text, maxLatest)
    return text === item.text ? item : { ...item, text }
  }
  const { input, common, result } = item
  const isLong = longest(input) > max || (result?.text.length ?? 0) > max
  if (!isLong) return item
  return {
    ...item,
    input: shortenJson(input, max),
    ...(common ? { common: shortenJson(common, max) as typeof common } : {}),
    ...(result ? { result: { ...result, text: cut(result.text, max) } } : {}),
  }
}

function cut(text: string, max: number): string {
  return truncateMiddle(text, max, `\n[… ${text.length - max} characters left out …]\n`)
}

function longest(value: Json | undefined): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((max, inner) => Math.max(max, longest(inner)), 0)
}

function shortenJson(value: Json, max: number): Json {
  if (typeof value === 'string') return cut(value, max)
  if (Array.isArray(value)) return value.map((inner) => shortenJson(inner, max))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortenJson(inner ?? null, max)]))
}
