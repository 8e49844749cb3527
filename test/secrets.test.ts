// Nothing of a secret or a private span may reach the disk, on whatever way it would take.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { keptText } from './kept-text.ts'
import { type Place, place, recollect, sessionName } from './program.ts'

const session = sessionName(1)
const claude = `.claude/projects/-a/${session}.jsonl`
const codex = '.codex/sessions/2026/09/01/rollout-2026-09-01T10-00-00-019f0000-0000-7000-8000-000000000001.jsonl'
const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
const prompt = (content: string) => ({
  type: 'user',
  uuid: `u-${content.length}`,
  timestamp: '2026-09-01T10:00:00Z',
  sessionId: session,
  cwd: '/home/dev/app',
  message: { role: 'user', content },
})
const call = (input: object) => ({
  type: 'assistant',
  uuid: 'a1',
  timestamp: '2026-09-01T10:00:01Z',
  sessionId: session,
  cwd: '/home/dev/app',
  message: {
    id: 'm1',
    role: 'assistant',
    model: 'claude-opus-4-6',
    content: [{ type: 'tool_use', id: 't1', name: 'Deploy', input }],
  },
})
const long = 'the tide rises and falls '.repeat(8000)

let at: Place | undefined
afterEach(() => at?.remove())

describe('what reaches the disk', () => {
  it.each<[string, Record<string, string | object[]>, RegExp]>([
    [
      'a prompt that a reader holds back for the next sweep',
      {
        [codex]: [
          {
            timestamp: '2026-09-01T10:00:00Z',
            type: 'session_meta',
            payload: { id: '019f0000-0000-7000-8000-000000000001', cwd: '/home/dev/app' },
          },
          {
            timestamp: '2026-09-01T10:00:01Z',
            type: 'response_item',
            payload: {
              type: 'message',
              role: 'user',
              content: [{ type: 'input_text', text: `use ${token} <private>the salary</private>` }],
            },
          },
        ],
      },
      /a1B2c3D4|salary/,
    ],
    [
      'a private span that begins where a long text is cut',
      { [claude]: [prompt(`${long.slice(0, 170_000)}<private>${long}the salary</private>`)] },
      /salary/,
    ],
    ['a token that lies across the cut', { [claude]: [prompt(`${'x '.repeat(79_990)}${token} ${long}`)] }, /a1B2c3D4/],
    [
      'a line that is no JSON',
      { [claude]: `${JSON.stringify(prompt('hello'))}\npassword is hunter6BADLINE\n` },
      /hunter6/,
    ],
    [
      'a value whose name says that it is a secret',
      { [claude]: [prompt('go'), call({ DB_PASSWORD: 'hunter2XYZ!9', env: { API_KEY: 'abc123def456ghi7' } })] },
      /hunter2XYZ|abc123def/,
    ],
    ['JSON inside a text', { [claude]: [prompt('{\\"password\\": \\"hunter2XYZ!9\\"}')] }, /hunter2XYZ/],
    ['YAML', { [claude]: [prompt('password: hunter4YAML9\nname: x')] }, /hunter4YAML/],
  ])('holds nothing of %s', (_, files, secret) => {
    at = place(files)
    const swept = recollect(at, 'sweep', '--json')
    expect(swept.status, swept.err).toBe(0)
    expect(swept.out).not.toMatch(secret)
    expect(everything(at.store)).not.toMatch(secret)
    for (const { id } of recollect(at, 'sessions', '--json').json())
      expect(recollect(at, 'show', id, '--json').out).not.toMatch(secret)
  })

  it('shows what was removed in its place, and counts it by kind', () => {
    const input = { command: `curl -H "Authorization: Bearer ${token}"`, deep: [{ password: token }] }
    at = place({ [claude]: [prompt(`use ${token} and <private>the salary</private> please`), call(input)] })
    recollect(at, 'sweep')
    const { events } = recollect(at, 'show', session, '--json').json()
    expect(events[0].text).toBe('use [secret: github-token] and [private] please')
    expect(events[1].input.command).toBe('curl -H "Authorization: Bearer [secret: github-token]"')
    expect(recollect(at, 'status', '--json').json().redactions).toEqual({ 'github-token': 2, password: 1, private: 1 })
  })

  it('SPEC B.38: remember says what it removed', () => {
    at = place({})
    const { out, err } = recollect(
      at,
      'remember',
      `The deploy bot of the shop signs in to the forge with ${token} on Tuesdays, never on Fridays`,
    )
    expect(out + err).toContain('Removed before storing, because it looks like a secret: github-token.')
    expect(everything(at.store)).not.toContain(token)
  })

  it('holds no value of a file with secrets that a tool has read', () => {
    const result = {
      ...prompt(''),
      uuid: 'r1',
      message: {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: '     1→REGION=eu\n     2→SIGN_IN=Ocean-breeze-north\n' },
        ],
      },
    }
    at = place({ [claude]: [prompt('go'), call({ file_path: '/home/dev/app/.env', note: 'x' }), result] })
    recollect(at, 'sweep')
    expect(everything(at.store)).not.toMatch(/Ocean-breeze/)
    const { events } = recollect(at, 'show', session, '--json').json()
    expect(events.at(-1).text).toContain('SIGN_IN=[secret: file]')
    expect(events.at(-1).text).toContain('REGION=eu')
  })

  it('redacts names of tools, models and versions', () => {
    const named = call({ a: 1 })
    named.message.content[0]!.name = `Deploy_${token}`
    named.message.model = `model-${token}`
    at = place({ [claude]: [{ ...prompt('go'), version: token }, named] })
    recollect(at, 'sweep')
    expect(everything(at.store)).not.toContain('a1B2c3D4e5F6')
  })

  it('holds nothing of a session in an ignored folder', () => {
    at = place({ [claude]: `${JSON.stringify(prompt('SECRETPLAN for the client'))}\nnot json SECRETPLAN\n` })
    mkdirSync(at.store, { recursive: true })
    writeFileSync(join(at.store, 'config.toml'), '[capture]\nignore = ["/home/dev/app"]')
    recollect(at, 'sweep')
    expect(everything(at.store)).not.toMatch(/SECRETPLAN/)
  })

  it('is readable by its owner alone', async () => {
    at = place({ [claude]: [prompt('hello')] })
    recollect(at, 'sweep')
    const { statSync } = await import('node:fs')
    for (const path of files(at.store)) expect(statSync(path).mode & 0o077, path).toBe(0)
  })
})

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** All files as they are, and bodies also decompressed. */
function everything(folder: string): string {
  const contents = files(folder).map((path) => readFileSync(path, 'latin1'))
  return [...contents, keptText(folder)].join('\n')
}
