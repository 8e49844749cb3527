// A question as a vector, made before the search: that may wait for a model, and the search never does.

import type { PassageFilter } from '../../store/search/passage-search.ts'
import { type VectorModel, vectorModel } from '../../store/search/vectors.ts'
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
  const vector = await askedVector(context, model, text)
  if (vector?.length !== model.dimensions) return undefined
  return { text, near: (filter) => nearest(ledger, model, vector, filter) }
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
