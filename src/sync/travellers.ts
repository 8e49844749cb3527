// Every kind of thing that travels, by its name. A kind that is not here stays on the server.
import { memoryTraveller } from './memories.ts'
import type { Traveller } from './traveller.ts'

export const travellers: readonly Traveller[] = [memoryTraveller]

export function travellerOf(kind: string): Traveller | undefined {
  return travellers.find((traveller) => traveller.kind === kind)
}
