// Entry point of vectors for every search: where they are off, it loads nothing.
import type { Ledger } from '../../store/ledger.ts'
import type { QuestionVector } from './embed-question.ts'
import type { VectorContext } from './state.ts'

export async function questionVector(
  app: Omit<VectorContext, 'ledger'>,
  ledger: Ledger,
  text: string,
): Promise<QuestionVector | undefined> {
  if (app.config.recall.vectors === 'off' || text.trim() === '') return undefined
  const { clock, config, machine, zone } = app
  return (await import('./embed-question.ts')).embedQuestion({ ledger, clock, config, machine, zone }, text)
}
