// Embeds a question before the search runs, because this may wait for a model and the search never
// does.
import { modelContext } from '../../models/context.ts'
import { embedTexts } from '../../models/embeddings.ts'
import type { PassageFilter } from '../../store/search/passage-filter.ts'
import { vectorModel } from '../../store/search/vectors.ts'
import { parseEmbedder } from './embed-passages.ts'
import { findNearest, type NearestPassages } from './nearest.ts'
import type { VectorContext } from './state.ts'

export interface QuestionVector {
  text: string
  near(filter: PassageFilter): NearestPassages
}

/** Search goes on by words alone when the model takes longer. */
const timeoutMs = 300

/** Undefined where there are no vectors, or the model did not answer in time. */
export async function embedQuestion(context: VectorContext, text: string): Promise<QuestionVector | undefined> {
  const { ledger, config } = context
  const model = vectorModel(ledger)
  if (!model || model.name !== config.recall.vectors) return undefined
  const options = { timeoutMs, isQuestion: true }
  const answer = await embedTexts(await modelContext(context), parseEmbedder(model.name), [text], options)
  const vector = answer.kind === 'embedded' ? answer.vectors[0] : undefined
  if (vector?.length !== model.dimensions) return undefined
  return { text, near: (filter) => findNearest(ledger, model, vector, filter) }
}
