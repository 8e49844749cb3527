// Follows the tree of a session: an entry whose parent is not the latest entry abandons the prompts
// in between.
import type { Json } from '../../core/session.ts'
import { asArray, asCount, asObject, asString } from '../json-values.ts'

export interface Branches {
  /** Adds the next entry of the file; returns the number of prompts that it abandons. */
  follow(entry: { id: string; parent: string; isPrompt: boolean }): number
  state(): Json
}

/** Rewinds go back a few turns, not thousands of entries. */
const maxEntries = 1000
const root = -1

export function trackBranches(state: Json | undefined): Branches {
  const saved = asObject(state)
  /** For every prompt the previous one on its branch. */
  const previous: number[] = asArray(saved.previous).map((at) => (typeof at === 'number' ? at : root))
  /** For every entry the last prompt before it on its branch. */
  const promptOf = new Map<string, number>(
    asArray(saved.entries).map((entry) => [asString(asArray(entry)[0]), asCount(asArray(entry)[1]) - 1]),
  )
  let latest = asString(saved.latest)
  let current = asCount(saved.current) - 1

  function ancestors(prompt: number): number[] {
    const path: number[] = []
    for (let at = prompt; at > root && path.length <= previous.length; at = previous[at] ?? root) path.push(at)
    return path
  }

  return {
    follow({ id, parent, isPrompt }) {
      if (!id) return 0 // version 1 has no tree
      let leftBehind = 0
      const target = parent ? promptOf.get(parent) : root
      if (parent !== latest && target !== undefined) {
        const kept = new Set(ancestors(target))
        leftBehind = ancestors(current).filter((prompt) => !kept.has(prompt)).length
        current = target
      }
      if (isPrompt) current = previous.push(current) - 1
      promptOf.set(id, current)
      if (promptOf.size > maxEntries) promptOf.delete(promptOf.keys().next().value!)
      latest = id
      return leftBehind
    },
    // Prompts are numbered from one in the saved state; zero is the root.
    state: () => ({
      previous,
      entries: [...promptOf].map(([id, prompt]) => [id, prompt + 1]),
      latest,
      current: current + 1,
    }),
  }
}
