// Finds and removes our entries in a JSON settings file by their content: they may have been moved.
import { isDeepStrictEqual } from 'node:util'
import type { JsonEntry } from '../../agents/agent.ts'
import type { Json } from '../../core/session.ts'
import {
  type JsonContainer,
  type JsonDocument,
  type JsonElement,
  jsonOf,
  memberOf,
  parseJson,
} from './json-document.ts'
import { hasRemarks, removeElement } from './json-edits.ts'
import { applyTextEdits, type TextEdit } from './text-edits.ts'

/** Describes the entries of ours in a file. */
export interface OwnedEntries {
  isOurs: IsOwnedItem
  /** Items, and the fallbacks that we set. */
  entries: readonly JsonEntry[]
  /** Paths of lists and objects that we created; undefined if not recorded. */
  made: readonly (readonly string[])[] | undefined
}

/**
 * Removes our items and members, and the containers that were created for them. Removes our fallbacks, too:
 * always with `all`, otherwise only if the user has no items of their own that may need them.
 */
export function removeOwnedEntries(
  text: string,
  path: string,
  ours: OwnedEntries,
  fallbacks: 'all' | 'unneeded',
): string {
  let current = text
  const judge: ItemJudge = (item) => (isOwnedItem(item, ours) ? 'ours' : 'look inside')
  for (;;) {
    const edit = removeNextOwned(current, path, ours, judge)
    if (!edit) break
    current = applyTextEdits(current, [edit])
  }
  const removeAt = (place: readonly string[], isRemoved: (value: Json) => boolean): void => {
    const document = parseJson(current, path)
    const steps = pathTo(document, place)
    if (!steps || !isRemoved(jsonOf(steps.at(-1)!.element.value))) return
    current = applyTextEdits(current, [removeAtPath(current, document, steps, ours)])
  }
  for (const entry of ours.entries.filter(isMember)) removeAt(entry.at, (value) => isOwnedMember(value, entry.at, ours))
  if (fallbacks === 'unneeded' && hasItems(parseJson(current, path), ours)) return current
  for (const { at, fallback } of ours.entries.filter(isFallback))
    removeAt(at, (value) => isDeepStrictEqual(value, fallback))
  return current
}

/** Decides about an item of a list; `place` is undefined for lists inside of items. */
export type ItemJudge = (item: Json, place: string[] | undefined) => 'ours' | 'keep' | 'look inside'

/** Removes the first item that is judged to be ours; undefined if there is none. */
export function removeNextOwned(
  text: string,
  path: string,
  ours: OwnedEntries,
  judge: ItemJudge,
): TextEdit | undefined {
  const document = parseJson(text, path)
  const { root } = document
  if (!root || root.kind === 'scalar') return undefined
  const steps = findItem(root, [], judge, ownedSections(ours))
  return steps && removeAtPath(text, document, steps, ours)
}

export function isOwnedItem(item: Json, { isOurs, entries }: Pick<OwnedEntries, 'isOurs' | 'entries'>): boolean {
  return isOurs(item) || entries.some((entry) => isItem(entry) && isDeepStrictEqual(item, entry.item))
}

export function isItem(entry: JsonEntry): entry is Extract<JsonEntry, { item: Json }> {
  return 'item' in entry
}

export function isFallback(entry: JsonEntry): entry is Extract<JsonEntry, { fallback: Json }> {
  return 'fallback' in entry
}

export type MemberEntry = Extract<JsonEntry, { member: Record<string, Json> }>

export function isMember(entry: JsonEntry): entry is MemberEntry {
  return 'member' in entry
}

/** Whether a value at the path of a member is ours: by its content, or as it was recorded. */
export function isOwnedMember(
  value: Json,
  at: readonly string[],
  { isOurs, entries }: Pick<OwnedEntries, 'isOurs' | 'entries'>,
): boolean {
  const isRecorded = (entry: JsonEntry) =>
    isMember(entry) && isDeepStrictEqual(entry.at, at) && isDeepStrictEqual(entry.member, value)
  return isOurs(value) || entries.some(isRecorded)
}

/** One step of the path from the root to an element. */
interface JsonPathStep {
  container: JsonContainer
  element: JsonElement
}

export function pathTo({ root }: JsonDocument, place: readonly string[]): JsonPathStep[] | undefined {
  const steps: JsonPathStep[] = []
  let node = root
  for (const key of place) {
    const element = node?.kind === 'object' ? memberOf(node, key) : undefined
    if (!element) return undefined
    steps.push({ container: node as JsonContainer, element })
    node = element.value
  }
  return steps.length > 0 ? steps : undefined
}

/** Top-level keys to search: an older version may have used another list below the same key. */
function ownedSections({ entries }: OwnedEntries): Set<string | undefined> {
  return new Set(entries.filter(isItem).map((entry) => entry.at[0]))
}

function findItem(
  container: JsonContainer,
  steps: JsonPathStep[],
  judge: ItemJudge,
  sections?: Set<string | undefined>,
): JsonPathStep[] | undefined {
  for (const element of container.elements) {
    if (sections && !sections.has(element.key)) continue
    const { value } = element
    const here = [...steps, { container, element }]
    const place = placeOf(steps)
    // A string inside of an item is an argument of a user's command.
    const isJudged = container.kind === 'list' && (place !== undefined || value.kind !== 'scalar')
    const verdict = isJudged ? judge(jsonOf(value), place) : 'look inside'
    if (verdict === 'ours') return here
    const found = verdict === 'keep' || value.kind === 'scalar' ? undefined : findItem(value, here, judge)
    if (found) return found
  }
  return undefined
}

function placeOf(steps: JsonPathStep[]): string[] | undefined {
  const keys = steps.map(({ element }) => element.key)
  return keys.every((key) => key !== undefined) ? keys : undefined
}

/**
 * Removes an element, or the outermost container that we created and that has nothing else in it.
 */
function removeAtPath(text: string, document: JsonDocument, steps: JsonPathStep[], { made }: OwnedEntries): TextEdit {
  let depth = steps.length - 1
  for (; depth > 0; depth--) {
    const { container, element } = steps[depth]!
    const place = placeOf(steps.slice(0, depth))
    const isMade = place && (!made || made.some((other) => isDeepStrictEqual(other, place)))
    if (!isMade || container.elements.length > 1 || hasRemarks(document, container, element)) break
  }
  const { container, element } = steps[depth]!
  return removeElement(text, document, container, element)
}

function hasItems({ root }: JsonDocument, ours: OwnedEntries): boolean {
  const sections = ownedSections(ours)
  if (root?.kind !== 'object') return false
  return root.elements.some(
    ({ key, value }) => sections.has(key) && !(value.kind !== 'scalar' && value.elements.length === 0),
  )
}

/** Whether an item of a list is ours, in its current or an older form. */
export type IsOwnedItem = (item: Json) => boolean

/**
 * An item is ours if it runs our command and nothing else: `{ command }`, or a group around it. A
 * group to which the user added another command is not, but the lists in it are searched for our
 * items.
 */
export function ownedByCommand(isOurCommand: (command: string) => boolean): IsOwnedItem {
  const isOurs = (value: Json | undefined): boolean => {
    if (typeof value === 'string') return isOurCommand(value)
    if (Array.isArray(value)) return value.length > 0 && value.every(isOurs)
    return typeof value === 'object' && value !== null && Object.values(value).some(isOurs)
  }
  return isOurs
}
