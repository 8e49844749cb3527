// Made-up ciphertexts and signatures in the forms in which model services issue them.
import { randomBytes } from './pictures.ts'

type Random = () => number

export interface Ciphertext {
  /** The field that holds it. */
  name: string
  value: string
}

const whole = (random: Random, min: number, max: number) => min + Math.floor(random() * (max - min + 1))

export const ciphertextKinds = ['fernet', 'anthropic', 'redacted thinking', 'gemini', 'copilot', 'plain'] as const

export function randomCiphertext(random: Random, kind: (typeof ciphertextKinds)[number]): Ciphertext {
  switch (kind) {
    case 'fernet':
      return { name: 'encrypted_content', value: fernet(random) }
    case 'anthropic':
      return { name: 'signature', value: anthropicSignature(random) }
    case 'redacted thinking':
      return { name: 'data', value: anthropicSignature(random) }
    case 'gemini':
      return {
        name: 'thoughtSignature',
        value: field(1, randomBytes(random, whole(random, 60, 1500))).toString('base64'),
      }
    case 'copilot':
      return { name: 'reasoningOpaque', value: randomBytes(random, whole(random, 100, 1500)).toString('base64') }
    default:
      return { name: 'encrypted_content', value: randomBytes(random, whole(random, 100, 1500)).toString('base64url') }
  }
}

/** Version, time, vector, blocks of sixteen bytes, digest. */
export function fernet(random: Random): string {
  const bytes = randomBytes(random, 25 + 16 * whole(random, 1, 90) + 32)
  bytes[0] = 0x80
  bytes.writeBigUInt64BE(BigInt(1_760_000_000 + whole(random, 0, 30_000_000)), 1)
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_') // with padding
}

export function anthropicSignature(random: Random): string {
  const inner = Buffer.concat([
    Buffer.from([0x08, whole(random, 9, 12), 0x18, 2]),
    field(5, randomBytes(random, 64)),
    ...(random() < 0.5 ? [field(6, Buffer.from('claude-made-up'))] : []),
  ])
  const parts = [field(1, inner), field(2, randomBytes(random, 12)), field(3, randomBytes(random, 12))]
  const sealed = field(5, randomBytes(random, whole(random, 40, 1700)))
  const end = random() < 0.5 ? Buffer.from([0x18, 1]) : Buffer.alloc(0)
  return Buffer.concat([field(2, Buffer.concat([...parts, field(4, randomBytes(random, 48)), sealed])), end]).toString(
    'base64',
  )
}

/** Of a protocol buffer: a number, a length, bytes. */
function field(number: number, content: Buffer): Buffer {
  const length: number[] = []
  let left = content.length
  for (; left > 127; left >>= 7) length.push((left & 127) | 128)
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length, left]), content])
}
