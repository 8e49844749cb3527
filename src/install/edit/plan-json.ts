// Plans the entries of ours in a JSON settings file as text edits that touch no other bytes.
import { isDeepStrictEqual } from 'node:util'
import type { JsonEntry } from '../../agents/agent.ts'
import { UserError } from '../../core/errors.ts'
import type { Json } from '../../core/session.ts'
import { type JsonDocument, type JsonNode, jsonOf, lineColumn, memberOf, parseJson } from './json-document.ts'
import { insertElement, insertRoot, replaceValue } from './json-edits.ts'
import {
  type ItemJudge,
  isFallback,
  isItem,
  isMember,
  isOwnedItem,
  isOwnedMember,
  type MemberEntry,
  type OwnedEntries,
  pathTo,
  removeNextOwned,
} from './owned-entries.ts'
import { applyTextEdits, composeTextEdits, type TextEdit } from './text-edits.ts'

interface JsonPlan {
  splices: TextEdit[]
  /** Paths at which a list or an object was created. */
  made: string[][]
  /** The items and members, and the fallbacks that we set. */
  entries: JsonEntry[]
}

/** `earlier`: the entries of an earlier install. */
export function planJson(text: string, path: string, entries: readonly JsonEntry[], earlier: OwnedEntries): JsonPlan {
  const plan: JsonPlan = { splices: [], made: [], entries: entries.filter((entry) => !isFallback(entry)) }
  let current = text
  const add = (splices: TextEdit[]): void => {
    current = applyTextEdits(current, splices)
    plan.splices = composeTextEdits(plan.splices, splices)
  }

  add(replaceStaleItems(text, path, entries, earlier))
  const ours: OwnedEntries = { ...earlier, entries: [...earlier.entries, ...entries] }
  for (;;) {
    const edit = removeNextOwned(current, path, ours, judgeBy(entries, earlier))
    if (!edit) break
    add([edit])
  }
  for (const entry of entries) {
    const edit = replaceStaleValue(current, path, entry, earlier)
    const added = edit ? { edit, made: [] } : addEntry(current, path, entry)
    if (!added) continue
    add([added.edit])
    plan.made.push(...added.made)
    if (isFallback(entry)) plan.entries.push(entry)
  }
  plan.entries.push(...fallbacksIn(parseJson(current, path), earlier, plan.entries))
  return plan
}

/** Replaces items in an older form by the current ones, in place. */
function replaceStaleItems(
  text: string,
  path: string,
  entries: readonly JsonEntry[],
  earlier: OwnedEntries,
): TextEdit[] {
  const document = parseJson(text, path)
  const places = new Map(entries.filter(isItem).map(({ at }) => [JSON.stringify(at), at]))
  const splices = [...places.values()].flatMap((place) => {
    const list = nodeAt(document, place)
    if (list?.kind !== 'list') return []
    const wanted = itemsAt(entries, place)
    const there = list.elements.map((element) => jsonOf(element.value))
    const stale = list.elements.filter((_, index) => {
      const item = there[index]!
      return isOwnedItem(item, earlier) && !includes(wanted, item)
    })
    const missing = wanted.filter((item) => !includes(there, item))
    return stale
      .slice(0, missing.length)
      .map((element, index) => replaceValue(text, document, element, missing[index]!))
  })
  return splices.sort((a, b) => a.at - b.at)
}

/** All remaining items of ours are in an older form and are removed. */
function judgeBy(entries: readonly JsonEntry[], earlier: OwnedEntries): ItemJudge {
  return (item, place) => {
    if (place && includes(itemsAt(entries, place), item)) return 'keep'
    return isOwnedItem(item, earlier) ? 'ours' : 'look inside'
  }
}

function replaceStaleValue(text: string, path: string, entry: JsonEntry, earlier: OwnedEntries): TextEdit | undefined {
  if (isMember(entry)) return replaceStaleMember(text, path, entry, earlier)
  return isFallback(entry) ? replaceStaleFallback(text, path, entry, earlier) : undefined
}

/** Updates our keys in a member of ours. */
function replaceStaleMember(
  text: string,
  path: string,
  { at, member }: MemberEntry,
  earlier: OwnedEntries,
): TextEdit | undefined {
  const document = parseJson(text, path)
  const element = pathTo(document, at)?.at(-1)?.element
  if (!element) return undefined
  const value = jsonOf(element.value)
  if (!isOwnedMember(value, at, earlier)) return undefined
  const renewed = { ...(value as Record<string, Json>), ...member }
  return isDeepStrictEqual(value, renewed) ? undefined : replaceValue(text, document, element, renewed)
}

/** Updates a fallback that we set, unless the user has changed it. */
function replaceStaleFallback(
  text: string,
  path: string,
  entry: Extract<JsonEntry, { fallback: Json }>,
  earlier: OwnedEntries,
): TextEdit | undefined {
  const document = parseJson(text, path)
  const element = pathTo(document, entry.at)?.at(-1)?.element
  if (!element || isDeepStrictEqual(jsonOf(element.value), entry.fallback)) return undefined
  const [known] = fallbacksIn(document, earlier, []).filter(({ at }) => isDeepStrictEqual(at, entry.at))
  return known && replaceValue(text, document, element, entry.fallback)
}

function fallbacksIn(document: JsonDocument, earlier: OwnedEntries, besides: readonly JsonEntry[]): JsonEntry[] {
  return earlier.entries.filter((entry) => {
    if (!isFallback(entry) || besides.some(({ at }) => isDeepStrictEqual(at, entry.at))) return false
    const element = pathTo(document, entry.at)?.at(-1)?.element
    return element !== undefined && isDeepStrictEqual(jsonOf(element.value), entry.fallback)
  })
}

function addEntry(text: string, path: string, entry: JsonEntry): { edit: TextEdit; made: string[][] } | undefined {
  const { at } = entry
  const document = parseJson(text, path)
  const leaf = isItem(entry) ? [entry.item] : isMember(entry) ? entry.member : entry.fallback
  // The path of a fallback or a member is a value, not a container that could be left empty.
  const madeFrom = (depth: number): string[][] =>
    at.flatMap((_, index) =>
      index < depth || (index === at.length - 1 && !isItem(entry)) ? [] : [at.slice(0, index + 1)],
    )
  if (!document.root) return { edit: insertRoot(text, document, nest(at, leaf)), made: madeFrom(0) }

  let node = document.root
  for (const [depth, key] of at.entries()) {
    if (node.kind !== 'object') throw misplaced(text, path, node, at.slice(0, depth), 'an object')
    const member = memberOf(node, key)
    if (!member) {
      const value = nest(at.slice(depth + 1), leaf)
      return { edit: insertElement(text, document, node, { key, value }), made: madeFrom(depth) }
    }
    node = member.value
  }
  if (!isItem(entry)) return undefined
  if (node.kind !== 'list') throw misplaced(text, path, node, at, 'a list')
  if (node.elements.some(({ value }) => isDeepStrictEqual(jsonOf(value), entry.item))) return undefined
  return { edit: insertElement(text, document, node, { value: entry.item }), made: [] }
}

function nest(keys: readonly string[], leaf: Json): Json {
  return keys.reduceRight<Json>((value, key) => ({ [key]: value }), leaf)
}

function misplaced(text: string, path: string, node: JsonNode, place: readonly string[], expected: string): UserError {
  const name = place.length > 0 ? `"${place.join('.')}"` : 'the whole file'
  return new UserError(
    `${path}:${lineColumn(text, node.start)}: ${name} is not ${expected}, so nothing can be added to it`,
    'The file was not changed. Correct or remove it, then run the command again.',
  )
}

function nodeAt(document: JsonDocument, place: readonly string[]): JsonNode | undefined {
  return place.length > 0 ? pathTo(document, place)?.at(-1)?.element.value : document.root
}

function itemsAt(entries: readonly JsonEntry[], place: readonly string[]): Json[] {
  return entries.filter(isItem).flatMap((entry) => (isDeepStrictEqual(entry.at, place) ? [entry.item] : []))
}

function includes(items: readonly Json[], item: Json): boolean {
  return items.some((other) => isDeepStrictEqual(other, item))
}
