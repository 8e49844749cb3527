// Parts of restored records that a model service takes only as it issued or got them.
import type { Json } from '../session.ts'

type JsonObject = Record<string, Json | undefined>

/** `image`: a file that could not be kept. `thinking`: a signature or ciphertext, or the text that it signs. */
export interface RepairedPart {
  kind: 'image' | 'thinking'
  /** In its place; undefined leaves it out of its list. */
  part: JsonObject | undefined
}

/** Looks at any object of a record from which something was removed; undefined if the service takes it. */
export type RepairPart = (part: JsonObject) => RepairedPart | undefined

export interface RepairingAgent {
  id: string
  repairPart?: RepairPart
}

/** The text that takes the place of a part, so that no content is empty. */
export const leftOutText = {
  image: '[An image was left out: it could not be kept as it was]',
  thinking: '[Thinking was left out: a secret was removed from it]',
} as const
