// A Pi session is a tree: going back appends an entry whose parent is not the latest one. What lies between is given up.
import type { Json } from '../../core/session.ts'
import { asArray, asCount, asObject, asString } from '../json-values.ts'

export interface Branches {
  /** Takes the next entry of the file; tells how many prompts it leaves behind. */
  follow(entry: { id: string; parent: string; isPrompt: boolean }): number
  state(): Json
}

/** People go back a few turns, not thousands of entries. */
const max = 1000
const root = -1

export function branches(state: Json | undefined): Branches {
  const saved = asObject(state)
  /** For every prompt the one before it on its branch. */
  const previous: number[] = asArray(saved.previous).map((at) => (typeof at === 'number' ? at : root))
  /** For every entry the last prompt on the way to it. */
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
      if (promptOf.size > max) promptOf.delete(promptOf.keys().next().value!)
      latest = id
      return leftBehind
    },
    // Prompts are numbered from one in the state: zero is the root.
    state: () => ({
      previous,
      entries: [...promptOf].map(([id, prompt]) => [id, prompt + 1]),
      latest,
      current: current + 1,
    }),
  }
}
