// What has changed here and the server does not know yet. Nothing leaves it before the server has it.
import type { Ledger } from './ledger.ts'

/** The name of the space on a server that holds what is one's own. */
export const ownSpace = 'me'

/** Call it in the transaction that changes the item. Where no server was joined, nothing waits for one. */
export function toSend(ledger: Ledger, space: string, kind: string, id: string): void {
  ledger
    .sql(
      `INSERT INTO outbox (space, id, kind) SELECT $space, $id, $kind WHERE EXISTS (SELECT 1 FROM spaces)
       ON CONFLICT (space, id) DO UPDATE SET generation = generation + 1, refusal = NULL`,
    )
    .run({ space, id, kind })
}
