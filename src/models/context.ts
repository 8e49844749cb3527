import type { ModelContext } from './model.ts'

/** What asking needs, with the rules of redaction loaded: they are large, so only who asks pays for them. */
export async function modelContext(from: Omit<ModelContext, 'redact' | 'sleep'>): Promise<ModelContext> {
  const { redact } = await import('../core/redact.ts')
  const { ledger, clock, config, machine, zone } = from
  return { ledger, clock, config, machine, zone, redact: (text) => redact([text]).texts[0]! }
}
