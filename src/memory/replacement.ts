// Statements about a change from one thing to another: "we moved from Jenkins to GitHub Actions",
// "Biome replaced Prettier". They end earlier statements for the old thing.
import { sharedCount } from '../text/similarity.ts'
import { choiceOf } from './choices.ts'
import { type ConflictCertainty, isScoped, readStatement, type StatementReading } from './reading.ts'

/** How sure it is that `later` says that something in `earlier` was replaced. */
export function replacement(later: string, earlier: string): ConflictCertainty {
  const before = readStatement(earlier)
  if (before.asserted.size === 0) return undefined
  const now = readStatement(later)
  const isGoneBefore = (term: string) => replacedIn(earlier).some((gone) => gone.has(term))
  for (const gone of replacedIn(later)) {
    if (sharedCount(gone, before.asserted) < gone.size || [...gone].some(isGoneBefore)) continue
    const chosen = choiceOf(earlier)
    if (chosen && sharedCount(gone, chosen) === gone.size && chosen.size <= gone.size + 1)
      return isLimitedChange(now, before) ? 'unsure' : 'sure'
    const rest = [...before.asserted].filter((term) => !gone.has(term))
    const common = rest.filter((term) => now.asserted.has(term) || now.rejected.has(term)).length
    if (common >= Math.max(1, rest.length / 2)) return isLimitedChange(now, before) ? 'unsure' : 'sure'
    // A short statement about what is gone has probably ended with it.
    const isMeans = before.terms.some(
      ({ term, preposition }) => gone.has(term) && /^(?:with|by|on|)$/.test(preposition),
    )
    if (common >= Math.max(1, rest.length / 3) || (rest.length <= 2 && isMeans)) return 'unsure'
  }
  return moved.test(later) && isOfSameSubject(now, before) ? 'unsure' : undefined
}

/** "Do not use async in the parser" leaves a rule for all code as it is; "we moved" does not. */
function isLimitedChange(now: StatementReading, before: StatementReading): boolean {
  return !now.isChange && isScoped(now, before)
}

/** "The design moved to Figma" does not say from where. */
const moved = /\b(?:moved|switched|migrated|changed|went)(?: \w+)? to\b/i

function isOfSameSubject(now: StatementReading, before: StatementReading): boolean {
  const subjectOf = ({ terms }: StatementReading) =>
    new Set(terms.filter(({ isBehindVerb }) => !isBehindVerb).map(({ term }) => term))
  const [mine, theirs] = [subjectOf(now), subjectOf(before)]
  return mine.size > 0 && mine.size === theirs.size && sharedCount(mine, theirs) === mine.size
}

/** Terms of each thing that the statement says is replaced. */
function replacedIn(text: string): readonly Set<string>[] {
  const found = known.get(text)
  if (found) return found
  const things = replacedThings(text)
    .map((thing) => readStatement(thing).asserted)
    .filter(({ size }) => size > 0)
  if (known.size >= maxKnown) known.clear()
  known.set(text, things)
  return things
}

/** Kept, because one statement is compared with many. */
const known = new Map<string, readonly Set<string>[]>()
const maxKnown = 10_000

/** The things that the statement says are replaced, in its words. */
export function replacedThings(text: string): string[] {
  const said = text.toLowerCase().replaceAll('’', "'")
  return (
    [...said.matchAll(replacing)]
      .map((match) => (match[1] ?? match[2] ?? '').trim())
      // "Instead of writing it" replaces an action, not a thing.
      .filter((thing) => !/^\w+ing\b/.test(thing))
  )
}

const name = String.raw`((?:[\w./@+#-]+ ?){1,3}?)`
const end = String.raw`(?=\s*(?:$|[,.;:!)]|\b(?:to|with|by|for|in|on|into|because|and|from)\b))`
const article = '(?:the |our |an? )?'
const replacing = new RegExp(
  [
    String.raw`\b(?:instead of|rather than|in place of|no longer(?! than) (?:uses?|using|with|on)?|not use|stop(?:ped)? using|away from|(?:switch|mov|migrat|chang|upgrad|port|convert|transition)\w*\b(?: [\w./@+#-]+){0,4}? (?:from|out of|off)|drop(?:s|ped|ping)? (?:support for|the use of|using)|ditch(?:ed|ing)?|replac(?:e|es|ed|ing)|swap(?:ped|ping)?(?: out)?|got rid of)\s+${article}${name}${end}`,
    String.raw`\b${article}${name} (?:was|were|is|are|has been|got|gets) (?:replaced|superseded|retired|dropped) `,
  ].join('|'),
  'g',
)
