// What a talk is about, so that what was said in it can be found by those words and read alone.
import { isStated } from './answers.ts'
import type { DialogueTurn } from './turns.ts'

/** What it is about: the names that the talk is about, and what the person began with. */
export function topicOf(turns: DialogueTurn[]): string {
  const [first] = turns
  const opening = first === undefined || first.offer !== '' ? [] : first.said.filter(isStated)
  const began = opening.map(({ sentence }) => sentence.text).join(' ')
  return [namesIn(turns).join(', '), began.slice(0, 250)].filter((part) => part !== '').join(' - ')
}

function namesIn(turns: DialogueTurn[]): string[] {
  const counts = new Map<string, number>()
  const sentences = turns.flatMap(({ said, before }) => [...said.map(({ sentence }) => sentence), ...before])
  for (const { text } of sentences) {
    for (const [name] of text.matchAll(identifiers)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([name]) => name)
}

const identifiers =
  /\b[a-z]\w*_\w+\b|\b[A-Z][a-z0-9]+[A-Z]\w*|\b[a-z]+[A-Z]\w*|\b[\w-]+\.(?:py|ts|go|js|rs|md|toml|json|ya?ml)\b/g
