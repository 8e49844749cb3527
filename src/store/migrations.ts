// The shape of the ledger, as a list of steps. A step is never changed once it has shipped; the next one is added at the end.
import { capture } from './migrations/capture.ts'
import { learning } from './migrations/learning.ts'
import { meaning } from './migrations/meaning.ts'
import { practice } from './migrations/practice.ts'
import { recall } from './migrations/recall.ts'
import { sharing } from './migrations/sharing.ts'

export interface LedgerMigration {
  name: string
  sql: string
}

export const migrations: readonly LedgerMigration[] = [
  ...capture,
  ...learning,
  ...recall,
  ...meaning,
  ...practice,
  ...sharing,
  {
    name: 'remove vectors learned from the own corpus',
    sql: `
      DROP TABLE term_vectors;
      DELETE FROM vectors WHERE model IN (SELECT id FROM vector_models WHERE name = 'own');
      DELETE FROM vector_models WHERE name = 'own';
    `,
  },
]
