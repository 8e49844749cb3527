// What the server needs of PostgreSQL. Two things can give it: a server reached through its URL, and PGlite inside this process.

/** A row as the driver gives it. bigint columns come as numbers, timestamptz as ISO strings in UTC, jsonb parsed, text[] as arrays. */
export type Row = Record<string, unknown>

export interface Queries {
  /** `$1`, `$2` … stand for the values. Objects are sent as JSON; an array is sent as an array of its column's type. */
  query<T extends Row = Row>(text: string, values?: readonly unknown[]): Promise<T[]>
}

export interface Database extends Queries {
  /** Read committed; rolled back when `work` throws, and tried again when the database says that it met another one (deadlock). */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** For people: never holds the password. */
  readonly name: string
  close(): Promise<void>
}
