// Short names of what statements are about, for a list in one line: "comments, release notes, omp.ps1".
import { slugKey, slugOf } from '../../text/slug.ts'
import { conceptOf } from '../../text/synonyms.ts'
import { type Subject, subjectsIn } from './subjects.ts'
import type { Succession } from './successions.ts'

interface LabelOptions {
  /** Names of the page, which are no labels. */
  names: readonly string[]
  /** Concepts that a label has already; the new ones are added. */
  used: Set<string>
  max: number
}

/** The first subject of each statement that no other label names, in the order of the statements. */
export function subjectLabels(successions: readonly Succession[], { names, used, max }: LabelOptions): string[] {
  const own = new Set(names.map((name) => slugKey(slugOf(name))))
  const labels: string[] = []
  for (const { memory } of successions) {
    if (labels.length >= max) break
    const label = candidatesIn(memory.text).find(
      ({ words, concepts }) =>
        words.length <= maxLabel && !own.has(slugKey(slugOf(words))) && !concepts.some((concept) => used.has(concept)),
    )
    if (!label) continue
    labels.push(label.words)
    for (const concept of label.concepts) used.add(concept)
  }
  return labels
}

const maxLabel = 28

interface Label {
  words: string
  concepts: string[]
}

/** A name at the start of the statement, then its nouns. */
function candidatesIn(text: string): Label[] {
  const name = leadingName(text)
  const nouns = subjectsIn(text).filter(({ isHead, isLead, phrase }) => (isHead || isLead) && phrase !== null)
  return [...(name === undefined ? [] : [{ words: name, concepts: [name.toLowerCase()] }]), ...nouns.map(labelOf)]
}

/** `omp.lua`, `max_width` or a quoted command before anything else: the statement is about it. */
function leadingName(text: string): string | undefined {
  const quoted = /^(?:The |No )?(?:'([^']+)'|"([^"]+)"|`([^`]+)`)/i.exec(text)
  if (quoted) return (quoted[1] ?? quoted[2] ?? quoted[3])!.replace(/:$/, '')
  return /^(?:The |Only )?((?:[@.\w-]+[./_])+\w+|\w*\p{Ll}\p{Lu}\w*)(?=\(?\)?[ ,])/u.exec(text)?.[1]
}

function labelOf({ phrase, key }: Subject): Label {
  return { words: plainCase(phrase!), concepts: key.split(' ').map(conceptOf) }
}

/** A capital at the start of a sentence says nothing; one of a name such as "OpenAI" or "CI" stays. */
function plainCase(words: string): string {
  return /^\p{Lu}\p{Ll}+s(?:\s|$)|^\p{Lu}\p{Ll}+\s\p{Ll}/u.test(words)
    ? words.replace(/^./u, (letter) => letter.toLowerCase())
    : words
}
