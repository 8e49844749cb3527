// What every search asks first: without vectors it costs a look at the configuration and loads nothing.
import type { Ledger } from '../../store/ledger.ts'
import type { AskedVector } from './ask.ts'
import type { VectorContext } from './fit.ts'

export async function askedVector(
  app: Omit<VectorContext, 'ledger'>,
  ledger: Ledger,
  text: string,
): Promise<AskedVector | undefined> {
  if (app.config.recall.vectors === 'off' || text.trim() === '') return undefined
  const { clock, config, machine, zone } = app
  return (await import('./ask.ts')).vectorOf({ ledger, clock, config, machine, zone }, text)
}
