// Recalls for the API and for MCP, and counts what was recalled.
import type { Caller, Services } from '../context.ts'
import { type RecallRequest, recallItems } from '../search/recall.ts'
import { count } from './metrics.ts'
import type { AppState } from './route.ts'

interface RecallContext {
  services: Services
  state: AppState
  caller: Caller
}

export async function recallAndCount({ services, state: { metrics }, caller }: RecallContext, question: RecallRequest) {
  count(metrics, 'recollect_recalls_total')
  const found = await recallItems(services, caller, question)
  const redirects = found.items.filter(({ foundBy }) => foundBy !== null).length
  count(metrics, 'recollect_recall_redirects_total', {}, redirects)
  count(metrics, 'recollect_recall_attached_total', {}, found.resolutions.length)
  return found
}
