// Our items in a JSON file, found by what they are and not by where they were written.
import { isDeepStrictEqual } from 'node:util'
import type { JsonEntry } from '../agents/agent.ts'
import type { Json } from '../core/session.ts'
import { hasRemarks, removeElement } from './json-remove.ts'
import { type Container, type Document, type Element, jsonOf, memberOf, parseJson } from './json-tree.ts'
import type { IsOurs } from './ours.ts'
import { applySplices, type Splice } from './splices.ts'

/** What we know of our part in a file. */
export interface Ours {
  isOurs: IsOurs
  /** Items, and those fallbacks that we have set. */
  entries: readonly JsonEntry[]
  /** Places of lists and objects that we have made; undefined where nobody remembers. */
  made: readonly (readonly string[])[] | undefined
}

/**
 * The text without our items and without what we made for them. What we set as a fallback goes with `all`; else it stays as
 * long as the user's own items may need it.
 */
export function removeOurs(text: string, path: string, ours: Ours, fallbacks: 'all' | 'unneeded'): string {
  let current = text
  const judge: Judge = (item) => (isOurItem(item, ours) ? 'ours' : 'look inside')
  for (;;) {
    const splice = removeNext(current, path, ours, judge)
    if (!splice) break
    current = applySplices(current, [splice])
  }
  if (fallbacks === 'unneeded' && hasItems(parseJson(current, path), ours)) return current
  for (const entry of ours.entries) {
    const document = parseJson(current, path)
    const steps = stepsTo(document, entry.at)
    if (isItem(entry) || !steps || !isDeepStrictEqual(jsonOf(steps.at(-1)!.element.value), entry.fallback)) continue
    current = applySplices(current, [removeSteps(current, document, steps, ours)])
  }
  return current
}

/** What to do about an item of a list; the place is missing for lists inside of items. */
export type Judge = (item: Json, place: string[] | undefined) => 'ours' | 'keep' | 'look inside'

/** Takes out the first item that is judged ours; undefined when there is none. */
export function removeNext(text: string, path: string, ours: Ours, judge: Judge): Splice | undefined {
  const document = parseJson(text, path)
  const { root } = document
  if (!root || root.kind === 'scalar') return undefined
  const steps = findItem(root, [], judge, sectionsOf(ours))
  return steps && removeSteps(text, document, steps, ours)
}

export function isOurItem(item: Json, { isOurs, entries }: Pick<Ours, 'isOurs' | 'entries'>): boolean {
  return isOurs(item) || entries.some((entry) => isItem(entry) && isDeepStrictEqual(item, entry.item))
}

export function isItem(entry: JsonEntry): entry is Extract<JsonEntry, { item: Json }> {
  return 'item' in entry
}

/** The way from the root to an element. */
export interface Step {
  container: Container
  element: Element
}

export function stepsTo({ root }: Document, place: readonly string[]): Step[] | undefined {
  const steps: Step[] = []
  let node = root
  for (const key of place) {
    const element = node?.kind === 'object' ? memberOf(node, key) : undefined
    if (!element) return undefined
    steps.push({ container: node as Container, element })
    node = element.value
  }
  return steps.length > 0 ? steps : undefined
}

/** The parts of a file in which our items are looked for: an older form of ours may stand in another list of them. */
function sectionsOf({ entries }: Ours): Set<string | undefined> {
  return new Set(entries.filter(isItem).map((entry) => entry.at[0]))
}

function findItem(
  container: Container,
  steps: Step[],
  judge: Judge,
  sections?: Set<string | undefined>,
): Step[] | undefined {
  for (const element of container.elements) {
    if (sections && !sections.has(element.key)) continue
    const { value } = element
    const here = [...steps, { container, element }]
    const place = placeOf(steps)
    // A mere text inside of an item is an argument of a command of the user.
    const isJudged = container.kind === 'list' && (place !== undefined || value.kind !== 'scalar')
    const verdict = isJudged ? judge(jsonOf(value), place) : 'look inside'
    if (verdict === 'ours') return here
    const found = verdict === 'keep' || value.kind === 'scalar' ? undefined : findItem(value, here, judge)
    if (found) return found
  }
  return undefined
}

function placeOf(steps: Step[]): string[] | undefined {
  const keys = steps.map(({ element }) => element.key)
  return keys.every((key) => key !== undefined) ? keys : undefined
}

/** Takes out an element, or what we made around it when nothing else is in there. */
function removeSteps(text: string, document: Document, steps: Step[], { made }: Ours): Splice {
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

function hasItems({ root }: Document, ours: Ours): boolean {
  const sections = sectionsOf(ours)
  if (root?.kind !== 'object') return false
  return root.elements.some(
    ({ key, value }) => sections.has(key) && !(value.kind !== 'scalar' && value.elements.length === 0),
  )
}
