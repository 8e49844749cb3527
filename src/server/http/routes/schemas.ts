// What paths and queries are made of.
import * as z from 'zod'
import { itemId, spaceName } from '../../../sync/protocol.ts'

/** Whoever may use a space is checked before, so any text can stand here. */
export const spaceParams = z.object({ space: spaceName })
export const itemParams = z.object({ space: spaceName, id: itemId })

export const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is not a name')

/** A number in a query. */
export function whole(least: number, max: number): z.ZodType<number> {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'is not a whole number')
    .transform(Number)
    .pipe(z.int().min(least).max(max))
}

export const counted = z.object({ name: z.string(), items: z.int() })
