// Images, documents, ciphertexts and signatures are captured and restored byte for byte: one changed letter and the
// model service refuses every request of the session.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { redact } from '../src/core/redact/redact.ts'
import { type Ciphertext, ciphertextKinds, randomCiphertext } from './payloads/ciphertexts.ts'
import { type Picture, randomFile, randomPicture } from './payloads/pictures.ts'
import { type Place, place, recollect, sessionName } from './program.ts'
import { scaled } from './proof.ts'
import { randomNumbers, seed } from './random.ts'

const places: Place[] = []
afterEach(() => {
  for (const one of places.splice(0)) one.remove()
})

const random = randomNumbers()
const whole = (max: number) => Math.floor(random() * max)
const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const maxPixels = scaled(100, 1000)
const pictures = (count: number): Picture[] =>
  list(count, (index) =>
    index % 5 === 4 ? randomFile(random) : randomPicture(random, index % 50 === 0 ? maxPixels : 120),
  )
const ciphertexts = (count: number): Ciphertext[] =>
  list(count, (index) => randomCiphertext(random, ciphertextKinds[index % ciphertextKinds.length]!))

const altered = (texts: readonly string[]) => texts.filter((text) => redact([text]).texts[0] !== text)
const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

describe(`redact, seed ${seed}`, () => {
  it('alters no picture and no document, however it is written', () => {
    // More than half of them are PNG, JPEG and WebP.
    for (const { name, type, bytes } of pictures(scaled(250, 10_000))) {
      const data = bytes.toString('base64')
      const forms = [
        data,
        JSON.stringify({ type: 'image', source: { type: 'base64', media_type: type, data } }),
        JSON.stringify({
          output: JSON.stringify({ url: `data:${type};base64,${bytes.toString('base64url')}`, note: '"\n' }),
        }),
        `$ base64 picture\n${data.replace(/.{76}/g, '$&\n')}\n`,
      ]
      expect(altered(forms), name).toEqual([])
    }
  })

  it('alters no ciphertext and no signature under its name', () => {
    const values = ciphertexts(scaled(600, 20_000))
    expect(altered(values.map(({ name, value }) => JSON.stringify({ type: 'x', [name]: value })))).toEqual([])
    expect(altered(values.map(({ name, value }) => JSON.stringify(JSON.stringify({ [name]: value }))))).toEqual([])
  })

  it('finds every token behind a picture and in a document', () => {
    for (const { name, bytes } of pictures(scaled(60, 1000))) {
      const data = Buffer.concat([bytes, Buffer.from(`\n# push with ${token}\n`)]).toString('base64')
      expect(redact([data]).texts[0], name).toBe('[secret: encoded]')
    }
  })

  it('finds every token between them', () => {
    for (const { type, bytes } of pictures(scaled(60, 600))) {
      const { name, value } = ciphertexts(1)[0]!
      const encoded = Buffer.from(`{"login":"mira","token":"${token}","scopes":["repo"]}`).toString('base64')
      const data = bytes.toString('base64')
      const text = JSON.stringify({
        said: `use "${token}"`,
        type,
        data,
        [name]: value,
        file: encoded,
        signature: token,
      })
      const clean = redact([text]).texts[0]!
      expect(clean).toContain(data)
      expect(clean).toContain(value)
      expect(clean).not.toContain(token)
      expect(clean).not.toContain(encoded)
      expect(JSON.parse(clean)).toMatchObject({ signature: '[secret: github-token]', file: '[secret: encoded]' })
    }
  })
})

const time = (index: number) => new Date(Date.UTC(2026, 8, 1, 10) + index * 1000).toISOString()

/** A session in the form of an agent; each record has a payload, some a secret beside it. */
interface Form {
  agent: string
  path: string
  session: string
  head: object[]
  record(index: number, picture: Picture, ciphertext: Ciphertext): object
}

const claude = sessionName(1)
const thread = '019f0000-0000-7000-8000-000000000001'
const image = ({ type, bytes }: Picture) => ({
  type: 'image',
  source: { type: 'base64', media_type: type, data: bytes.toString('base64') },
})
const forms: Form[] = [
  {
    agent: 'Claude Code',
    path: `.claude/projects/-home-dev-app/${claude}.jsonl`,
    session: claude,
    head: [],
    record(index, picture, { name, value }) {
      const base = { uuid: `u-${index}`, parentUuid: index === 0 ? null : `u-${index - 1}`, sessionId: claude }
      const about = { ...base, timestamp: time(index), cwd: '/home/dev/app', version: '2.1.300' }
      const thinking = { type: 'thinking', thinking: `step ${index}`, [name === 'data' ? 'signature' : name]: value }
      if (index % 3 === 0)
        return {
          ...about,
          type: 'user',
          message: { role: 'user', content: [{ type: 'text', text: `look ${index}` }, image(picture)] },
        }
      const blocks = [thinking, { type: 'redacted_thinking', data: value }]
      const call = { type: 'tool_use', id: `t${index}`, name: 'Read', input: { file_path: `${index}.png` } }
      if (index % 3 === 1)
        return {
          ...about,
          type: 'assistant',
          message: { id: `m${index}`, role: 'assistant', content: [...blocks, call] },
        }
      const result = { type: 'tool_result', tool_use_id: `t${index - 1}`, content: [image(picture)] }
      const file = { type: 'image', file: { base64: picture.bytes.toString('base64'), type: picture.type } }
      return { ...about, type: 'user', toolUseResult: file, message: { role: 'user', content: [result] } }
    },
  },
  {
    agent: 'Codex',
    path: `.codex/sessions/2026/09/01/rollout-2026-09-01T10-00-00-${thread}.jsonl`,
    session: thread,
    head: [{ timestamp: time(0), type: 'session_meta', payload: { id: thread, cwd: '/home/dev/app' } }],
    record(index, { type, bytes }, { value }) {
      const item = (payload: object) => ({ timestamp: time(index), type: 'response_item', payload })
      const url = `data:${type};base64,${bytes.toString('base64')}`
      if (index % 4 === 0) return item({ type: 'reasoning', summary: [], encrypted_content: value })
      if (index % 4 === 1)
        return item({
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: `look ${index}` },
            { type: 'input_image', image_url: url },
          ],
        })
      const call = { call_id: `c${index - (index % 4)}` }
      if (index % 4 === 2)
        return item({
          type: 'function_call',
          name: 'view',
          ...call,
          arguments: JSON.stringify({ data: value, image: url }),
        })
      return item({
        type: 'function_call_output',
        ...call,
        output: `printed\n${bytes.toString('base64').replace(/.{76}/g, '$&\n')}\ndone`,
      })
    },
  },
  {
    agent: 'Qwen Code',
    path: `.qwen/projects/-home-dev-app/chats/${sessionName(3)}.jsonl`,
    session: sessionName(3),
    head: [],
    record(index, { type, bytes }, { value }) {
      const base = { uuid: `q-${index}`, parentUuid: index === 0 ? null : `q-${index - 1}`, sessionId: sessionName(3) }
      const about = { ...base, timestamp: time(index), cwd: '/home/dev/app', version: '0.24.4' }
      const inlineData = { mimeType: type, data: bytes.toString('base64') }
      if (index % 2 === 0)
        return { ...about, type: 'user', message: { role: 'user', parts: [{ text: `look ${index}` }, { inlineData }] } }
      const call = { functionCall: { id: `f${index}`, name: 'read', args: { path: 'a' } }, thoughtSignature: value }
      return {
        ...about,
        type: 'assistant',
        message: { role: 'model', parts: [{ text: 'hm', thought: true, thoughtSignature: value }, call] },
      }
    },
  },
  {
    agent: 'Copilot CLI',
    path: `.copilot/session-state/${sessionName(4)}/events.jsonl`,
    session: sessionName(4),
    head: [
      {
        type: 'session.start',
        id: 's',
        timestamp: time(0),
        data: { sessionId: sessionName(4), context: { cwd: '/home/dev/app' } },
      },
    ],
    record(index, { type, bytes }, { value }) {
      const about = { id: `e-${index}`, parentId: index === 0 ? 's' : `e-${index - 1}`, timestamp: time(index) }
      const blob = { type: 'blob', mimeType: type, displayName: 'a.png', data: bytes.toString('base64') }
      if (index % 2 === 0)
        return { type: 'user.message', ...about, data: { content: `look ${index}`, attachments: [blob] } }
      return {
        type: 'assistant.message',
        ...about,
        data: {
          messageId: `m${index}`,
          content: 'Yes.',
          reasoningText: 'hm',
          reasoningOpaque: value,
          encryptedContent: value,
        },
      }
    },
  },
]

describe(`capture and restore, seed ${seed}`, () => {
  it.each(forms)('keep all payloads of $agent', ({ path, session, head, record }) => {
    const count = scaled(60, 1500)
    const values = ciphertexts(count)
    const lines = pictures(count).map((picture, index) => JSON.stringify(record(index, picture, values[index]!)))
    const before = [...head.map((one) => JSON.stringify(one)), ...lines].map((line) => `${line}\n`).join('')
    const at = place({ [path]: before })
    places.push(at)
    const sweep = recollect(at, 'sweep', '--json')
    expect(sweep.status, sweep.err).toBe(0)
    rmSync(join(at.home, path))
    const restore = recollect(at, 'restore', session, '--json')
    expect(restore.status, restore.err).toBe(0)
    expect(restore.json()).toMatchObject({ redacted: 0, missing: 0, leftOut: { image: 0, thinking: 0 } })
    expect(readFileSync(join(at.home, path), 'utf8') === before).toBe(true)
  })

  it('keep the payloads of a line in which a secret was found', () => {
    const { path, session, record } = forms[0]!
    const said = list(30, (index) => {
      const value = record(3 * whole(9), pictures(1)[0]!, ciphertexts(1)[0]!) as { message: { content: object[] } }
      value.message.content.push({ type: 'text', text: `use ${token} in ${index}\n` })
      return JSON.stringify({ ...value, uuid: `s-${index}` })
    })
    const at = place({ [path]: `${said.join('\n')}\n` })
    places.push(at)
    expect(recollect(at, 'sweep').status).toBe(0)
    rmSync(join(at.home, path))
    expect(recollect(at, 'restore', session, '--json').json()).toMatchObject({ redacted: 30, leftOut: { image: 0 } })
    const restored = readFileSync(join(at.home, path), 'utf8')
    expect(restored).toBe(`${said.join('\n').replaceAll(token, '[secret: github-token]')}\n`)
  })
})
