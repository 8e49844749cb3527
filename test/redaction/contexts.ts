// Places in which a secret occurs in a transcript.
import type { SecretSample } from './generate.ts'

export interface SecretContext {
  name: string
  group: 'plain' | 'escaped' | 'split'
  /** The text to redact, and what of the secret must not be left in it. */
  write(sample: SecretSample): { text: string; leaks: string[] }
}

/** A snippet in which the secret stands by itself, or under its name. */
function snippet({ secret, name, text }: SecretSample): string {
  return text ?? (name ? `${name}=${secret}` : secret)
}

const key = (name: string | undefined) => (name ?? 'value').toLowerCase()

/** Both halves count: a secret of which half is left has leaked. */
function halves(secret: string): string[] {
  const half = Math.ceil(secret.length / 2)
  return secret.length < 16 ? [secret] : [secret.slice(0, half), secret.slice(half)]
}

function leaksOf({ secret, others = [] }: SecretSample, encode: (secret: string) => string = (one) => one): string[] {
  return [secret, ...others].flatMap((one) => halves(encode(one)))
}

function plain(name: string, write: (sample: SecretSample) => string): SecretContext {
  return { name, group: 'plain', write: (sample) => ({ text: write(sample), leaks: leaksOf(sample) }) }
}

function escaped(
  name: string,
  write: (sample: SecretSample) => string,
  encode?: (secret: string) => string,
): SecretContext {
  return { name, group: 'escaped', write: (sample) => ({ text: write(sample), leaks: leaksOf(sample, encode) }) }
}

const json = (text: unknown) => JSON.stringify(text)
const inner = (text: string) => json(text).slice(1, -1)
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** In the middle of the secret, where it is long enough. */
function split(sample: SecretSample, separator: string): string {
  const { secret } = sample
  if (/\s/.test(secret)) return snippet(sample)
  const half = Math.ceil(secret.length / 2)
  return snippet(sample).replace(secret, () => `${secret.slice(0, half)}${separator}${secret.slice(half)}`)
}

/** Shorter pieces of a secret are of no use. */
const minPiece = 6

/** In the middle, or at another place, as a terminal, a mail program or a person breaks a line. */
function broken(name: string, lineBreak: string, at: (secret: string) => number): SecretContext {
  return {
    name,
    group: 'split',
    write(sample) {
      const { secret } = sample
      const half = at(secret)
      if (/\s/.test(secret)) return { text: snippet(sample), leaks: leaksOf(sample) }
      const pieces = [secret.slice(0, half), secret.slice(half)]
      const text = snippet(sample).replace(secret, () => pieces.join(lineBreak))
      return { text, leaks: pieces.filter((piece) => piece.length >= minPiece) }
    },
  }
}

const middle = (secret: string) => Math.ceil(secret.length / 2)
/** Depends on the letters, so that it differs from secret to secret. */
const somewhere = (secret: string) =>
  4 + ([...secret].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7) % Math.max(1, secret.length - 8))

export const secretContexts: SecretContext[] = [
  plain('alone', snippet),
  plain('prose', (sample) =>
    sample.text
      ? `Here it is: ${sample.text}`
      : sample.name
        ? `Please set ${sample.name} = ${sample.secret} and try again.`
        : `Please use ${sample.secret} and try again.`,
  ),
  plain('env', (sample) => sample.text ?? `PORT=3000\nexport ${sample.name ?? 'VALUE'}=${sample.secret}\nDEBUG=1`),
  plain('yaml', (sample) => sample.text ?? `a: 1\n${key(sample.name)}: ${sample.secret}\nb: 2`),
  plain('json', (sample) => sample.text ?? JSON.stringify({ a: 1, [key(sample.name)]: sample.secret })),
  plain('code', (sample) => sample.text ?? `const ${key(sample.name)} = '${sample.secret}';\nrun()`),
  plain('log', (sample) => `2026-09-01T10:00:00Z INFO [worker-3] ${snippet(sample)}`),
  plain('shell', (sample) => sample.text ?? `$ ${sample.name ?? 'VALUE'}="${sample.secret}" npm run deploy`),
  plain('middle of a word', (sample) => (sample.text || sample.name ? snippet(sample) : `id_${sample.secret}`)),
  escaped('json string', (sample) => `{"output":${json(`line\n${snippet(sample)}\tend`)}}`, inner),
  escaped(
    'json in json',
    (sample) => json(json(`x\n${snippet(sample)}\n`)),
    (secret) => inner(inner(secret)),
  ),
  escaped('url', (sample) => `https://x.internal/?q=${encodeURIComponent(snippet(sample))}&n=1`, encodeURIComponent),
  escaped('colour', (sample) => `\u001b[32mok\u001b[0m \u001b[33m${snippet(sample)}\u001b[0m done`),
  escaped('escaped colour', (sample) => `\\u001b[33m${inner(snippet(sample))}\\u001b[0m`, inner),
  escaped('continued line', (sample) => split(sample, '\\\n')),
  broken('broken line', '\n', middle),
  broken('broken line elsewhere', '\n', somewhere),
  broken('broken line of Windows', '\r\n', middle),
  broken('broken and indented line', '\n    ', middle),
  {
    name: 'broken line in a json string',
    group: 'split',
    write(sample) {
      const { text, leaks } = broken('', '\n', middle).write(sample)
      return { text: json({ output: `line\n${text}\nend` }), leaks: leaks.map(inner) }
    },
  },
  {
    name: 'base64',
    group: 'escaped',
    write: (sample) => {
      const encoded = base64(snippet(sample))
      return { text: `data: ${encoded} end`, leaks: halves(encoded.replace(/=+$/, '')) }
    },
  },
]
