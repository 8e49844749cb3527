// A question as a vector, made before the search: that may wait for a model, and the search never does.

import type { Ledger } from '../../store/ledger.ts'
import type { PassageFilter } from '../../store/search/passage-search.ts'
import { termVectors, type VectorModel, vectorModel } from '../../store/search/vectors.ts'
import { hashTerm } from '../../text/term-hash.ts'
import { termsOf } from '../../text/terms.ts'
import { embedTerms } from './embed.ts'
import type { VectorContext } from './fit.ts'
import { type Near, nearest } from './nearest.ts'

export interface AskedVector {
  text: string
  near(filter: PassageFilter): Near
}

/** A model that has not answered by then is not waited for: words alone find enough. */
const patienceMs = 300

/** Undefined where there are no vectors, or none can be made of this question. */
export async function vectorOf(context: VectorContext, text: string): Promise<AskedVector | undefined> {
  const { ledger, config } = context
  const model = vectorModel(ledger)
  if (!model || model.name !== config.recall.vectors) return undefined
  const vector = model.name === 'own' ? ownVector(ledger, model, text) : await askedVector(context, model, text)
  if (vector?.length !== model.dimensions) return undefined
  return { text, near: (filter) => nearest(ledger, model, vector, filter) }
}

function ownVector(ledger: Ledger, { id, dimensions }: VectorModel, text: string): Float32Array | undefined {
  const terms = termsOf(text).map(hashTerm)
  return embedTerms(terms, termVectors(ledger, id, terms), dimensions)
}

async function askedVector(
  context: VectorContext,
  { name }: VectorModel,
  text: string,
): Promise<Float32Array | undefined> {
  const [{ modelContext }, { embedTexts }, { embedderNamed }] = await Promise.all([
    import('../../models/context.ts'),
    import('../../models/embeddings.ts'),
    import('./fit-provider.ts'),
  ])
  const options = { timeoutMs: patienceMs, isQuestion: true }
  const answer = await embedTexts(await modelContext(context), embedderNamed(name), [text], options)
  return answer.kind === 'embedded' ? answer.vectors[0] : undefined
}
