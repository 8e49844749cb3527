// What a JSON file looks like with our entries in it, as splices: no byte is written but those of our own text.
import { isDeepStrictEqual } from 'node:util'
import type { JsonEntry } from '../agents/agent.ts'
import { UserError } from '../core/errors.ts'
import type { Json } from '../core/session.ts'
import { insertElement, insertRoot, replaceValue } from './json-insert.ts'
import { isItem, isOurItem, type Judge, type Ours, removeNext, stepsTo } from './json-ours.ts'
import { type Document, jsonOf, lineColumn, memberOf, type Node, parseJson } from './json-tree.ts'
import { applySplices, joinSplices, type Splice } from './splices.ts'

export interface JsonPlan {
  splices: Splice[]
  /** Places where a list or an object was made. */
  made: string[][]
  /** The items, and those fallbacks that are of our making. */
  entries: JsonEntry[]
}

/** `earlier` is what an install before this one has left there. */
export function planJson(text: string, path: string, entries: readonly JsonEntry[], earlier: Ours): JsonPlan {
  const plan: JsonPlan = { splices: [], made: [], entries: entries.filter(isItem) }
  let current = text
  const add = (splices: Splice[]): void => {
    current = applySplices(current, splices)
    plan.splices = joinSplices(plan.splices, splices)
  }

  add(renewItems(text, path, entries, earlier))
  const ours: Ours = { ...earlier, entries: [...earlier.entries, ...entries] }
  for (;;) {
    const splice = removeNext(current, path, ours, judgeBy(entries, earlier))
    if (!splice) break
    add([splice])
  }
  for (const entry of entries) {
    const splice = isItem(entry) ? undefined : renewFallback(current, path, entry, earlier)
    const added = splice ? { splice, made: [] } : addEntry(current, path, entry)
    if (!added) continue
    add([added.splice])
    plan.made.push(...added.made)
    if (!isItem(entry)) plan.entries.push(entry)
  }
  plan.entries.push(...fallbacksIn(parseJson(current, path), earlier, plan.entries))
  return plan
}

/** Items of ours in an older form give their place to the new ones. */
function renewItems(text: string, path: string, entries: readonly JsonEntry[], earlier: Ours): Splice[] {
  const document = parseJson(text, path)
  const places = new Map(entries.filter(isItem).map(({ at }) => [JSON.stringify(at), at]))
  const splices = [...places.values()].flatMap((place) => {
    const list = nodeAt(document, place)
    if (list?.kind !== 'list') return []
    const wanted = itemsAt(entries, place)
    const there = list.elements.map((element) => jsonOf(element.value))
    const stale = list.elements.filter((_, index) => {
      const item = there[index]!
      return isOurItem(item, earlier) && !includes(wanted, item)
    })
    const missing = wanted.filter((item) => !includes(there, item))
    return stale
      .slice(0, missing.length)
      .map((element, index) => replaceValue(text, document, element, missing[index]!))
  })
  return splices.sort((a, b) => a.at - b.at)
}

/** Any other item of ours is from an older form too, and goes. */
function judgeBy(entries: readonly JsonEntry[], earlier: Ours): Judge {
  return (item, place) => {
    if (place && includes(itemsAt(entries, place), item)) return 'keep'
    return isOurItem(item, earlier) ? 'ours' : 'look inside'
  }
}

/** A value that we have set, and that nobody has changed, follows the new form. */
function renewFallback(
  text: string,
  path: string,
  entry: Extract<JsonEntry, { fallback: Json }>,
  earlier: Ours,
): Splice | undefined {
  const document = parseJson(text, path)
  const element = stepsTo(document, entry.at)?.at(-1)?.element
  if (!element || isDeepStrictEqual(jsonOf(element.value), entry.fallback)) return undefined
  const [known] = fallbacksIn(document, earlier, []).filter(({ at }) => isDeepStrictEqual(at, entry.at))
  return known && replaceValue(text, document, element, entry.fallback)
}

function fallbacksIn(document: Document, earlier: Ours, besides: readonly JsonEntry[]): JsonEntry[] {
  return earlier.entries.filter((entry) => {
    if (isItem(entry) || besides.some(({ at }) => isDeepStrictEqual(at, entry.at))) return false
    const element = stepsTo(document, entry.at)?.at(-1)?.element
    return element !== undefined && isDeepStrictEqual(jsonOf(element.value), entry.fallback)
  })
}

function addEntry(text: string, path: string, entry: JsonEntry): { splice: Splice; made: string[][] } | undefined {
  const { at } = entry
  const document = parseJson(text, path)
  const leaf = isItem(entry) ? [entry.item] : entry.fallback
  // The place of a fallback is a value, and no container that could stay behind empty.
  const madeFrom = (depth: number): string[][] =>
    at.flatMap((_, index) =>
      index < depth || (index === at.length - 1 && !isItem(entry)) ? [] : [at.slice(0, index + 1)],
    )
  if (!document.root) return { splice: insertRoot(text, document, nest(at, leaf)), made: madeFrom(0) }

  let node = document.root
  for (const [depth, key] of at.entries()) {
    if (node.kind !== 'object') throw misplaced(text, path, node, at.slice(0, depth), 'an object')
    const member = memberOf(node, key)
    if (!member) {
      const value = nest(at.slice(depth + 1), leaf)
      return { splice: insertElement(text, document, node, { key, value }), made: madeFrom(depth) }
    }
    node = member.value
  }
  if (!isItem(entry)) return undefined
  if (node.kind !== 'list') throw misplaced(text, path, node, at, 'a list')
  if (node.elements.some(({ value }) => isDeepStrictEqual(jsonOf(value), entry.item))) return undefined
  return { splice: insertElement(text, document, node, { value: entry.item }), made: [] }
}

function nest(keys: readonly string[], leaf: Json): Json {
  return keys.reduceRight<Json>((value, key) => ({ [key]: value }), leaf)
}

function misplaced(text: string, path: string, node: Node, place: readonly string[], expected: string): UserError {
  const name = place.length > 0 ? `"${place.join('.')}"` : 'the whole file'
  return new UserError(
    `${path}:${lineColumn(text, node.start)}: ${name} is not ${expected}, so nothing can be added there`,
    'Nothing was changed. Correct that place or take it out, then run the command again.',
  )
}

function nodeAt(document: Document, place: readonly string[]): Node | undefined {
  return place.length > 0 ? stepsTo(document, place)?.at(-1)?.element.value : document.root
}

function itemsAt(entries: readonly JsonEntry[], place: readonly string[]): Json[] {
  return entries.filter(isItem).flatMap((entry) => (isDeepStrictEqual(entry.at, place) ? [entry.item] : []))
}

function includes(items: readonly Json[], item: Json): boolean {
  return items.some((other) => isDeepStrictEqual(other, item))
}
