// Two rules that choose differently for the same thing: `use tabs for indentation`, `use spaces for indentation`. Enough to show one beside
// the other, not enough to let one take the place of the other.

import { sharedCount } from '../../text/similarity.ts'
import { statementTermSet, statementTerms } from '../../text/statement.ts'

export function choosesDifferently(one: string, other: string): boolean {
  const [mine, theirs] = [choiceIn(one), choiceIn(other)]
  if (!mine || !theirs || mine.purpose.size === 0) return false
  const isSamePurpose =
    mine.purpose.size === theirs.purpose.size && sharedCount(mine.purpose, theirs.purpose) === mine.purpose.size
  return isSamePurpose && sharedCount(mine.chosen, theirs.chosen) === 0
}

interface Choice {
  chosen: Set<string>
  purpose: Set<string>
}

/** One clause that says what to use for what; a rule with more in it may have its reasons. */
function choiceIn(text: string): Choice | undefined {
  const clause = text
    .trim()
    .replace(/[.!]+$/, '')
    .split(/[,;(]|\s(?:because|since|instead of|rather than)\s/)[0]!
  const match = /\b(?:use|prefer|choose|pick)s?\s+(.{1,40}?)\s+(?:for|in|as|to|with|when)\s+(.{1,60})$/i.exec(clause)
  if (!match || statementTerms(clause).isNegative) return undefined
  const [chosen, purpose] = [statementTermSet(match[1]!), statementTermSet(match[2]!)]
  return chosen.size > 0 && chosen.size <= 3 ? { chosen, purpose } : undefined
}
