// Which passages are nearest to a question, by looking at all of them. Over 100,000 passages that takes about as long as in
// sqlite-vec once it is warm, and nothing native has to be shipped and loaded; docs/recall.md has the figures.
import type { Database } from '../../core/sqlite.ts'
import type { PassageFilter } from '../../store/search/passage-search.ts'
import {
  filterPassages,
  type TextPassage,
  type VectorBlock,
  type VectorModel,
  vectorBlocks,
} from '../../store/search/vectors.ts'
import { stampOf } from './block.ts'
import { likenessOf } from './fuse.ts'

export interface Near {
  /** The nearest that may be found, the best first. */
  ids: number[]
  /** Of 0 to 1; nothing where it is not nearer than chance, or has said something else when its vector was made. */
  likenessOf(passage: TextPassage): number
}

interface Likeness {
  value: number
  stamp: number
}

/** Read so many bytes at most, the newest first: a search must not wait for the whole of a long life. */
const maxBytes = 48 * 1024 * 1024
const maxNear = 100
/** So many of all are asked whether they fit a filter. */
const maxFiltered = 4000

export function nearest(ledger: Database, model: VectorModel, question: Float32Array, filter: PassageFilter): Near {
  const blocks = blocksWithin(ledger, model.id, maxBytes)
  const cosines = blocks.map((block) => cosinesIn(block, question))
  const likeness = new Map<number, Likeness>()
  for (const { block, at, value } of likenessOf(cosines))
    likeness.set(blocks[block]!.ids[at]!, { value, stamp: blocks[block]!.stamps[at]! })
  const best = [...likeness].sort((a, b) => b[1].value - a[1].value || b[0] - a[0]).slice(0, maxFiltered)
  const fitting = filterPassages(
    ledger,
    best.map(([id]) => id),
    filter,
  )
  const ids = best.flatMap(([id]) => (fitting.has(id) ? [id] : []))
  return {
    ids: ids.slice(0, maxNear),
    likenessOf(passage) {
      const found = likeness.get(passage.id)
      return found && found.stamp === stampOf(passage) ? found.value : 0
    },
  }
}

function blocksWithin(ledger: Database, model: number, bytes: number): VectorBlock[] {
  const blocks: VectorBlock[] = []
  let read = 0
  for (const block of vectorBlocks(ledger, model)) {
    blocks.push(block)
    read += block.vectors.length
    if (read >= bytes) break
  }
  return blocks
}

/** Times the length of the question, which is the same for all. */
function cosinesIn({ scales, vectors }: VectorBlock, question: Float32Array): Float32Array {
  const size = question.length
  const cosines = new Float32Array(scales.length)
  for (let at = 0; at < scales.length; at++) {
    const from = at * size
    let sum = 0
    for (let index = 0; index < size; index++) sum += question[index]! * vectors[from + index]!
    cosines[at] = sum * scales[at]!
  }
  return cosines
}
