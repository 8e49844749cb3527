// Every kind of thing that travels, by its name. A kind that is not here stays on the server.
import { memoryTraveller } from './memories.ts'
import { patternTraveller } from './patterns.ts'
import { practiceTraveller } from './practices.ts'
import { sessionTraveller } from './sessions.ts'
import { shareTraveller } from './shares.ts'
import type { Traveller } from './traveller.ts'

/** In this order they are compared: what is shared comes behind the memories. */
export const travellers: readonly Traveller[] = [
  memoryTraveller,
  practiceTraveller,
  patternTraveller,
  shareTraveller,
  sessionTraveller,
]

export function travellerOf(kind: string): Traveller | undefined {
  return travellers.find((traveller) => traveller.kind === kind)
}
