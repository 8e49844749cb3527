// Ciphertexts as a model service issues them: it recognises its own to the last byte, and some only beside the text that
// they were made for. Like real ones they look random, but the same seed gives the same one.
import { createHash, createHmac } from 'node:crypto'

/** The alphabet: Anthropic, Gemini and Copilot use the standard one, OpenAI the one for addresses, as Fernet does. */
export type SealForm = 'base64' | 'fernet'

/** `seed` is any text that no other seal has; `text` is what the seal is valid for. */
export function seal(seed: string, text = '', form: SealForm = 'base64', bytes = 360): string {
  const body = noise(seed, bytes)
  if (form === 'fernet') body[0] = 0x80 // the version of Fernet, followed by the time: such tokens begin with "gAAAAA"
  if (form === 'fernet') body.fill(0, 1, 5)
  return encode(Buffer.concat([body, markOf(body, text)]), form)
}

/** Whether the service has issued exactly this for exactly this text. */
export function isSealed(value: unknown, text = '', form: SealForm = 'base64'): boolean {
  if (typeof value !== 'string') return false
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length <= markLength || encode(bytes, form) !== value) return false
  const body = bytes.subarray(0, -markLength)
  return markOf(body, text).equals(bytes.subarray(-markLength))
}

const markLength = 32

function markOf(body: Buffer, text: string): Buffer {
  return createHmac('sha256', 'the service').update(body).update('\0').update(text).digest()
}

/** Bytes without a pattern, always the same for a seed. */
export function noise(seed: string, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, block) =>
    createHash('sha256').update(`${seed} ${block}`).digest(),
  )
  return Buffer.concat(blocks).subarray(0, length)
}

function encode(bytes: Buffer, form: SealForm): string {
  const standard = bytes.toString('base64')
  return form === 'base64' ? standard : standard.replaceAll('+', '-').replaceAll('/', '_')
}
