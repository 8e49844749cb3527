// A fingerprint of everything that decides whether models can be asked. When it changes, questions
// that waited for a key or for the budget are worth asking again.
import { createHash } from 'node:crypto'
import { judgeNames } from '../core/config/settings.ts'
import { consentOf } from './consent.ts'
import type { ModelContext } from './context.ts'
import { findProgram } from './find-program.ts'

const variables = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'OPENAI_API_KEY', 'OLLAMA_HOST']

/** Short: no key can be found from it. */
export function accessFingerprint({
  ledger,
  config,
  machine,
}: Pick<ModelContext, 'ledger' | 'config' | 'machine'>): string {
  const parts = [
    config.models,
    variables.map((name) => machine.env[name] ?? ''),
    judgeNames.map((name) => consentOf(ledger, name)),
    findProgram('claude', machine) ?? '',
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)
}
