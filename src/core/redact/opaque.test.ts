import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { cutMiddle } from './cut-middle.ts'
import { payloadAt } from './opaque.ts'
import { payloadsIn, redact } from './redact.ts'

const one = (text: string) => redact([text]).texts[0]!
const base64 = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  ).toString('base64')

// Built from parts, so that secret scanners do not report this file.
const github = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
const aws = `AKIA${'Z3Q4'.repeat(4)}`
/** Letters in which a rule sees a token of a payment service. */
const token = `EAAA${'aB3dE5fG7h'.repeat(6)}`
const privateKey = `-----BEGIN ${'PRIVATE'} KEY-----\n${'aB3dE5fG7hJ9kLmN'.repeat(4)}\n-----END ${'PRIVATE'} KEY-----\n`
const wide = Buffer.from('aB3dE5fG7hJ9'.repeat(40), 'base64')
const zeros = (count: number): number[] => new Array(count).fill(0)

/** A picture of one point whose first letters look like a token. */
const png = base64('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0], [...wide])
const rest = [...wide]

describe('payloadAt', () => {
  it.each<[string, string]>([
    ['PNG', png],
    ['JPEG', base64([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF\0', rest)],
    ['JPEG of a camera', base64([0xff, 0xd8, 0xff, 0xe1, 3, 16], 'Exif\0\0', rest)],
    ['JPEG with a long comment', base64([0xff, 0xd8, 0xff, 0xfe, 0xea, 0x62], rest)],
    ['JPEG in the alphabet for addresses', base64([0xff, 0xd8, 0xff, 0xdb, 0, 67, 0], rest).replaceAll('/', '_')],
    ['GIF', base64('GIF89a', [1, 0, 1, 0, 0x80, 0, 0], rest)],
    ['WebP', base64('RIFF', [0, 2, 0, 0], 'WEBPVP8L', rest)],
    ['AVIF', base64([0, 0, 0, 28], 'ftypavif', rest)],
    ['HEIC', base64([0, 0, 0, 24], 'ftypheic', rest)],
    ['BMP', base64('BM', [0x36, 9, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0], rest)],
    ['TIFF', base64('II*\0', [8, 0, 0, 0], rest)],
    ['PDF', base64('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', rest)],
    ['zip', base64('PK\x03\x04\x14\0\0\0\x08\0', zeros(16), [8, 0, 0, 0], 'word/doc', rest)],
    ['MP3', base64('ID3\x04\0\0\0\0\0\x0a', rest)],
    ['WAV', base64('RIFF', [0, 2, 0, 0], 'WAVEfmt ', rest)],
    ['gzip', base64([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3], [...deflateSync(wide)], rest)],
  ])('knows %s by its first bytes', (_, encoded) => {
    expect(payloadAt(`see ${encoded} there`, 4)).toEqual({ start: 4, end: 4 + encoded.length, isNamed: false })
  })

  it.each([
    ['the word for a format', 'GIF89a is the format that all of these pictures have had for years'],
    ['a name like a head', `iVBORw0KGgo${'SomeNameOfAThing'.repeat(5)}`],
    ['a path', `/9j/${'folder/name/'.repeat(8)}file`],
  ])('takes %s for text', (_, text) => {
    expect(payloadsIn(`"data":"${text}"`)).toEqual([])
  })

  it('knows a picture that is text by the name before it alone', () => {
    const svg = base64(`<svg xmlns="http://www.w3.org/2000/svg">${'<g/>'.repeat(9)}</svg>`)
    expect(payloadsIn(`"data":"${svg}"`)).toHaveLength(1)
    expect(payloadsIn(`url(data:image/svg+xml;base64,${svg}`)).toHaveLength(1)
    expect(payloadsIn(`"text":"${svg}"`)).toEqual([])
  })

  it('follows lines of the same length to the end', () => {
    const lines = png.match(/.{1,76}/g)!
    for (const lineBreak of ['\n', '\r\n', '\\n', '\\\\n']) {
      const text = `-----${lineBreak}${lines.join(lineBreak)}${lineBreak}-----`
      const [payload] = payloadsIn(text)
      expect(text.slice(payload!.start, payload!.end)).toBe(lines.join(lineBreak))
    }
  })
})

describe('redact', () => {
  it('leaves pictures as they are, in values, addresses, code and JSON in JSON', () => {
    expect(png).toMatch(/EAAA/)
    const inside = JSON.stringify({ result: JSON.stringify({ image: png, note: 'a "word"\n' }) })
    const url = `data:image/png;base64,${png}`
    for (const text of [
      png,
      url,
      `<img src="${url}">`,
      `x = '${png}'\n`,
      `{"data":"${png}"}`,
      inside,
      `ok\\n${png}\\n`,
    ])
      expect(one(text)).toBe(text)
  })

  it('removes what stands around them', () => {
    const text = JSON.stringify({ a: `push "${github}"\n`, image: png, b: `\\u0022${github}`, c: `also ${aws}` })
    expect(one(text)).toContain(png)
    expect(one(text)).not.toContain(github)
    expect(one(text)).not.toContain(aws)
    expect(one(`${png} ${github}`)).toBe(`${png} [secret: github-token]`)
    expect(one(`${png}\n${github}\n`)).toBe(`${png}\n[secret: github-token]\n`)
    expect(one(`"${png}","password":"hunter2!x9"`)).toContain('[secret: password]')
  })

  it.each([
    'signature',
    'encrypted_content',
    'encryptedContent',
    'thoughtSignature',
    'thought_signature',
    'thinkingSignature',
    'reasoningOpaque',
    'reasoning_opaque',
    'encrypted',
  ])('leaves a ciphertext under the name %s', (name) => {
    const value = Buffer.from(`9c41b2${'d8f1a7'.repeat(8)}`, 'hex').toString('base64') + token
    for (const text of [JSON.stringify({ [name]: value }), JSON.stringify(JSON.stringify({ [name]: value }))])
      expect(one(text)).toBe(text)
    expect(one(`{"other":"${value}"}`)).not.toContain(token)
  })

  it.each([
    ['a token', github],
    ['a long token', `sk-ant-api03-${'a1B2c3D4e5F6'.repeat(8)}-AA`],
    ['a token that is a ciphertext by its alphabet', `github_pat_${'a1B2c3D4e5F6'.repeat(7)}`],
    ['the id of a key', aws],
    ['text with a token', base64(`{"user":"mira","token":"${github}","role":"writer of the tests"}`)],
    ['text in another encoding', Buffer.from(`the token is ${github}`, 'utf16le').toString('base64')],
    ['words around a token', `written-by-the-program-of-the-day-${github}`],
  ])('finds %s under such a name', (_, value) => {
    for (const name of ['signature', 'thoughtSignature', 'encrypted_content', 'data', 'reasoningOpaque'])
      expect(one(JSON.stringify({ [name]: value }))).not.toContain(value)
  })

  it('finds a token in text that is encoded, beside a picture and in a data URL', () => {
    const encoded = base64(`export TOKEN=${github} # and more text behind it`)
    const text = JSON.stringify({ image: png, file: encoded, url: `data:text/plain;base64,${encoded}` })
    expect(one(text)).toBe(
      JSON.stringify({ image: png, file: '[secret: encoded]', url: 'data:text/plain;base64,[secret: encoded]' }),
    )
  })

  it.each([
    ['metadata', base64(Buffer.from(png, 'base64').toString('latin1'), [0, 0, 0, 80], `tEXtprompt\0use ${github}`)],
    ['text behind a picture', base64(Buffer.from(png, 'base64').toString('latin1'), `\nTOKEN=${github}\n`)],
    ['the head of a file', base64('GIF89a', [1, 0, 1, 0], `\nTOKEN=${github}\nand more text to fill it up`)],
    ['a document', base64('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', `1 0 obj (the token is ${github}) Tj endobj`)],
    ['a private key', base64('PK\x03\x04\x14', zeros(21), [3, 0, 0, 0], 'key', privateKey)],
  ])('leaves out a payload whole if %s has a token', (_, payload) => {
    for (const lines of [payload, payload.replace(/.{76}/g, '$&\n'), payload.replace(/.{76}/g, '$&\\n')])
      expect(one(`{"data":"${lines}","n":1}`)).toBe('{"data":"[secret: encoded]","n":1}')
  })

  it('keeps a picture with metadata that have no token', () => {
    const metadata = '<x:xmpmeta xmpMM:DocumentID="xmp.did:7F4A90C2B1E311E8" password="none" auth_key="0123456789"/>'
    const text = `{"data":"${base64(Buffer.from(png, 'base64').toString('latin1'), metadata)}"}`
    expect(one(text)).toBe(text)
  })

  it('keeps a text of which only the letters in base64 have a token, and finds a secret in it', () => {
    const text = `%PDF-1.4\n1 0 obj\n(${'a model of '.repeat(5)} OpenAI and others) Tj\n${'q 1 0 0 1 72 720 cm '.repeat(4)}`
    const document = ['', ' ', '  '].map((more) => base64(text + more, text)).find((one) => one.includes('T3BlbkFJ'))!
    expect(one(`{"data":"${document}"}`)).toBe(`{"data":"${document}"}`)
    expect(one(`{"data":"${base64(`${text}password: hunter2!x9`)}"}`)).toBe('{"data":"[secret: encoded]"}')
  })

  it('keeps a long ciphertext that begins as a token does, and finds the token', () => {
    const letters = 'aB3dE5fG7h_J9kLmN1pQ'
    const ciphertext = `{"encrypted_content":"sk-${letters.repeat(30)}"}`
    expect(one(ciphertext)).toBe(ciphertext)
    expect(one(`{"encrypted_content":"sk-${letters.repeat(5)}"}`)).not.toContain(letters)
  })

  it('finds keys that have the form of a signature', () => {
    const storage = `${'aB3dE5fG7h'.repeat(7)}aB3dE5+ASt9kLmN1==`
    expect(one(`{"signature":"${storage}"}`)).toBe('{"signature":"[secret: azure-key]"}')
  })

  it('does not end a picture at a word that is no part of it', () => {
    expect(one(`${png}_${github}`)).not.toContain(github)
  })
})

describe('cutMiddle', () => {
  it('cuts a payload as a whole', () => {
    const text = `before ${png} between ${'words '.repeat(50)} ${png} after`
    const cut = cutMiddle(text, { max: 100, end: 40 })
    expect(cut).toBe(`before \n[${text.length - 7 - 6} characters cut]\n after`)
  })
})
