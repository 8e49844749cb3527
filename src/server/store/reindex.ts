// Recomputes the search index of all items, in batches. Migrations call it when the terms of a text
// change, because the terms are computed here and not by the database.
import type { ItemDocument, ItemKind } from '../../sync/protocol.ts'
import type { Queries } from '../database/database.ts'
import { indexFieldsOf } from '../search/index-fields.ts'

type IndexedItem = { space_id: string; id: string; kind: ItemKind; document: ItemDocument }

const batchSize = 500
const beforeAll = { space_id: '00000000-0000-0000-0000-000000000000', id: '' }

export async function reindexItems(queries: Queries): Promise<void> {
  for (let last: Pick<IndexedItem, 'space_id' | 'id'> | undefined = beforeAll; last; ) {
    const items: IndexedItem[] = await queries.query<IndexedItem>(
      `SELECT space_id, id, kind, document FROM items
       WHERE search IS NOT NULL AND document IS NOT NULL AND (space_id, id) > ($1::uuid, $2)
       ORDER BY space_id, id LIMIT ${batchSize}`,
      [last.space_id, last.id],
    )
    const rows = items.map(({ space_id, id, kind, document }) => ({
      space_id,
      id,
      search: indexFieldsOf(space_id, kind, document).search,
    }))
    await queries.query(
      `UPDATE items SET search = new.search::tsvector
       FROM jsonb_to_recordset($1::jsonb) AS new(space_id uuid, id text, search text)
       WHERE items.space_id = new.space_id AND items.id = new.id`,
      [rows],
    )
    last = items.at(-1)
  }
}
