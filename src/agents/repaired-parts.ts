// Rules for parts of restored records that several agents write in the same form.
import { leftOutText, type RepairedPart } from '../core/conversation/repaired-part.ts'
import { hasMark } from '../core/redact/marks.ts'
import { asObject, type JsonObject, optionalString } from './json-values.ts'

/** A text in place of the part, so that no content is empty and those behind it keep their numbers. */
export function leftOut(kind: RepairedPart['kind'], type = 'text'): RepairedPart {
  return { kind, part: { type, text: leftOutText[kind] } }
}

/**
 * Blocks of the Messages API. A signature belongs to exactly one text: the service refuses an altered block for
 * ever, but takes a conversation in which the block is missing.
 */
export function repairMessagesBlock({ type, thinking, signature, data, source }: JsonObject): RepairedPart | undefined {
  switch (type) {
    case 'thinking':
      return optionalString(signature) && hasMark([thinking, signature]) ? leftOut('thinking') : undefined
    case 'redacted_thinking':
      return hasMark(data) ? leftOut('thinking') : undefined
    case 'image':
    case 'document':
      return hasMark(asObject(source).data) ? leftOut('image') : undefined
    default:
      return undefined
  }
}

/**
 * Blocks of Pi: signatures of all services in fields of their own, for OpenAI the whole reasoning item as JSON.
 * Without one Pi sends the block as its own text or call.
 */
export function repairPiBlock(block: JsonObject): RepairedPart | undefined {
  switch (block.type) {
    case 'thinking':
      return optionalString(block.thinkingSignature) && hasMark([block.thinking, block.thinkingSignature])
        ? leftOut('thinking')
        : undefined
    case 'text':
      return withoutSignature(block, 'textSignature')
    case 'toolCall':
      return withoutSignature(block, 'thoughtSignature')
    case 'image':
      return hasMark(block.data) ? leftOut('image') : undefined
    default:
      return undefined
  }
}

/** A part whose signature is optional keeps its text or arguments: a result must have its call. */
export function withoutSignature(part: JsonObject, name: string): RepairedPart | undefined {
  if (!optionalString(part[name]) || !hasMark(part)) return undefined
  const { [name]: _, ...rest } = part
  return { kind: 'thinking', part: rest }
}
