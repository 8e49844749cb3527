// Lines of transcripts are kept to restore them. Nothing may reach the disk that way that is removed from events.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { keptText } from './kept-text.ts'
import { claudeSession, lines, type Place, place, recollect, sessionName } from './program.ts'

const session = sessionName(1)
const claude = `.claude/projects/-home-dev-app/${session}.jsonl`
const thread = '019f0000-0000-7000-8000-000000000001'
const codex = `.codex/sessions/2026/09/01/rollout-2026-09-01T10-00-00-${thread}.jsonl`
const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
/** No rule knows it: only the file in which it stands tells that it is a secret. */
const value = 'Ocean-breeze-north'

const places: Place[] = []
afterEach(() => {
  for (const one of places.splice(0)) one.remove()
})

function swept(files: Record<string, string | object[]>, config?: string): Place {
  const at = place(files)
  places.push(at)
  mkdirSync(at.store, { recursive: true })
  if (config) writeFileSync(join(at.store, 'config.toml'), config)
  sweep(at)
  return at
}

function sweep(at: Place): void {
  const run = recollect(at, 'sweep', '--json')
  expect(run.status, run.err).toBe(0)
  expect(run.json().failed).toEqual([])
}

let count = 0
const record = (content: object) => ({
  uuid: `u-${++count}`,
  timestamp: '2026-09-01T10:00:00Z',
  sessionId: session,
  cwd: '/home/dev/app',
  ...content,
})
const prompt = (text: string) => record({ type: 'user', message: { role: 'user', content: text } })
const call = (id: string, input: object) =>
  record({
    type: 'assistant',
    message: { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Tool', input }] },
  })
const result = (id: string, content: unknown, toolUseResult?: object) =>
  record({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    ...(toolUseResult ? { toolUseResult } : {}),
  })
const progress = (id: string, output: string) =>
  record({ type: 'progress', toolUseID: id, data: { type: 'bash_progress', output, fullOutput: output } })
const item = (payload: object) => ({ timestamp: '2026-09-01T10:00:00Z', type: 'response_item', payload })
const note = (payload: object) => ({ timestamp: '2026-09-01T10:00:00Z', type: 'event_msg', payload })
const rollout = (...records: object[]) => [
  { timestamp: '2026-09-01T10:00:00Z', type: 'session_meta', payload: { id: thread, cwd: '/home/dev/app' } },
  item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }),
  ...records,
]
const envFile = `REGION=eu\nSIGN_IN=${value}\n`
const keyBody = 'MIIEowIBAAKCAQEA7bq3Zr0kV1yPzK9sW2dT'
const keyHead = '-----BEGIN RSA PRIVATE KEY-----'
const key = `${keyHead}\n${`${keyBody}\n`.repeat(6)}-----END RSA PRIVATE KEY-----\n`

describe('kept lines', () => {
  it.each<[string, Record<string, string | object[]>, RegExp]>([
    [
      'progress of a command that reads such a file',
      { [claude]: [prompt('go'), call('t1', { command: 'cat .env' }), progress('t1', envFile), result('t1', envFile)] },
      /Ocean/,
    ],
    [
      'progress after the result',
      { [claude]: [prompt('go'), call('t1', { command: 'cat .env' }), result('t1', envFile), progress('t1', envFile)] },
      /Ocean/,
    ],
    [
      'what Codex says about the end of such a command',
      {
        [codex]: rollout(
          item({
            type: 'function_call',
            name: 'exec_command',
            call_id: 'c1',
            arguments: JSON.stringify({ cmd: 'cat .env | head -5' }),
          }),
          note({
            type: 'exec_command_end',
            call_id: 'c1',
            command: ['bash', '-lc', 'cat .env | head -5'],
            stdout: envFile,
            aggregated_output: envFile,
          }),
          item({ type: 'function_call_output', call_id: 'c1', output: envFile }),
        ),
      },
      /Ocean/,
    ],
    [
      'arguments, which are JSON in JSON',
      {
        [codex]: rollout(
          item({
            type: 'function_call',
            name: 'exec_command',
            call_id: 'c1',
            arguments: JSON.stringify({ cmd: `cat > .env <<EOF\n${envFile}EOF` }),
          }),
          item({
            type: 'function_call',
            name: 'write',
            call_id: 'c2',
            arguments: JSON.stringify({ path: '.env', content: envFile }),
          }),
        ),
      },
      /Ocean/,
    ],
    [
      'a key file beside a settings file in one line',
      {
        [claude]: [
          prompt('go'),
          record({
            type: 'assistant',
            message: {
              role: 'assistant',
              content: [
                { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: '.env' } },
                { type: 'tool_use', id: 't2', name: 'Read', input: { file_path: '/etc/server.key' } },
              ],
            },
          }),
          record({
            type: 'user',
            message: {
              role: 'user',
              content: [
                { type: 'tool_result', tool_use_id: 't1', content: envFile },
                { type: 'tool_result', tool_use_id: 't2', content: `${keyBody}\n` },
              ],
            },
            toolUseResult: [{ content: envFile }, { content: ` ${keyBody}` }],
          }),
        ],
      },
      /MIIEow|Ocean/,
    ],
    [
      'a private key whose first line is another event',
      {
        [claude]: [
          prompt('go'),
          record({
            type: 'user',
            message: { role: 'user', content: [{ type: 'text', text: keyHead }] },
            toolUseResult: { stdout: key },
          }),
        ],
      },
      /MIIEow/,
    ],
    [
      'a private span around the text of an event, and a mark that redaction cuts',
      {
        [claude]: [
          prompt('go'),
          record({
            type: 'user',
            message: {
              role: 'user',
              content: [{ type: 'text', text: 'the words that are in the middle' }],
            },
            other: 'password=abc\u0001 <private>the salary the words that are in the middle and the bonus</private>',
            third: 'token=the words that are in the middle=x pw=the words that are in the middle',
          }),
        ],
      },
      /salary|bonus/,
    ],
    [
      'a name and a value beside each other',
      { [claude]: [prompt('go'), call('t1', { env: [{ name: 'DB_PASSWORD', value: 'walnut77' }] })] },
      /walnut77/,
    ],
    [
      'a list under the name of a secret',
      { [claude]: [prompt('go'), call('t1', { passwords: ['walnut77', 'harbour88'], password: ['elmtree99!'] })] },
      /elmtree99/,
    ],
    [
      'a line in another encoding',
      { [claude]: lines([prompt('go')]) + Buffer.from(`{"a":"${token}"}\n`, 'utf16le').toString('utf8') },
      /a\0?1\0?B\0?2\0?c/,
    ],
    ['a key over several lines that are no JSON', { [claude]: lines([prompt('go')]) + key }, /MIIEow/],
    [
      'the name of a field',
      { [claude]: [prompt('go'), record({ type: 'progress', data: { [`x${token}`]: 1, [token]: 2 } })] },
      /a1B2c3D4/,
    ],
    [
      'base64',
      {
        [claude]: [
          prompt('go'),
          record({ type: 'progress', data: { output: Buffer.from(`token ${token} in it`).toString('base64') } }),
        ],
      },
      new RegExp(Buffer.from(`token ${token} in it`).toString('base64').slice(8, 30)),
    ],
  ])('hold nothing of %s', (_, files, secret) => {
    const at = swept(files)
    expect(keptText(at.store)).not.toMatch(secret)
  })

  it('hold no secret of a line that is not UTF-8', () => {
    const at = swept({ [claude]: [prompt('go')] })
    const line = Buffer.concat([Buffer.from(`{"a":"${token}`), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')])
    appendFileSync(join(at.home, claude), line)
    sweep(at)
    const kept = keptText(at.store)
    expect(kept).not.toMatch(/a1B2c3D4/)
    for (const [, base64] of kept.matchAll(/\u0001b([^\u0001]*)\u0001/g))
      expect(Buffer.from(base64!, 'base64').toString('latin1')).not.toMatch(/a1B2c3D4/)
  })

  it('hold nothing of an ignored folder that is named only later', () => {
    const queued = { type: 'queue-operation', operation: 'enqueue', content: 'SECRETPLAN', sessionId: session }
    const at = swept({ [claude]: [queued] }, '[capture]\nignore = ["/home/dev/app"]')
    appendFileSync(join(at.home, claude), lines([prompt('go')]))
    sweep(at)
    expect(keptText(at.store)).not.toMatch(/SECRETPLAN/)
  })

  it('do not bring back what a deleted session said, in one that continues it', () => {
    const records = claudeSession(session, 2, { says: () => 'the FORGOTTEN plan of the client' })
    const other = sessionName(2)
    const at = swept({ [claude]: records })
    expect(recollect(at, 'delete', session, '--yes').status).toBe(0)
    const continued = records.map((one) => ({ ...one, sessionId: other }))
    writeFileSync(
      join(at.home, claude.replace(session, other)),
      lines([...continued, ...claudeSession(other, 1, { says: () => 'something new' })]),
    )
    sweep(at)
    expect(keptText(join(at.store, 'bodies'))).not.toMatch(/FORGOTTEN/)
    expect(recollect(at, 'show', other).out).toContain('something new')
    expect(recollect(at, 'undo').status).toBe(0)
    sweep(at)
    expect(keptText(join(at.store, 'bodies'))).toMatch(/FORGOTTEN/)
  })

  it('lose what a session says that is deleted later, in one that continues it', () => {
    const records = claudeSession(session, 2, { says: () => 'the FORGOTTEN plan of the client' })
    const other = sessionName(2)
    const continued = claude.replace(session, other)
    const at = swept({ [claude]: records })
    const added = claudeSession(other, 1, { says: () => 'something new' })
    writeFileSync(join(at.home, continued), lines([...records.map((one) => ({ ...one, sessionId: other })), ...added]))
    sweep(at)
    expect(recollect(at, 'delete', session, '--yes').status).toBe(0)
    expect(keptText(join(at.store, 'bodies'))).not.toMatch(/FORGOTTEN/)
    expect(recollect(at, 'show', other).out).toContain('something new')
    appendFileSync(join(at.home, continued), lines([{ type: 'progress', sessionId: other, data: 'x' }]))
    recollect(at, 'sweep', '--full')
    expect(keptText(join(at.store, 'bodies'))).not.toMatch(/FORGOTTEN/)
    expect(recollect(at, 'undo').status).toBe(0)
    sweep(at)
    const out = join(at.root, 'out.jsonl')
    expect(recollect(at, 'restore', other, '--out', out).status).toBe(0)
    expect(readFileSync(out, 'utf8')).toBe(readFileSync(join(at.home, continued), 'utf8'))
  })

  it.each(['summary', 'custom-title', 'ai-title', 'last-prompt', 'file-history-snapshot'])(
    'hold nothing of an ignored folder that begins with a record of type %s',
    (type) => {
      const first = { type, sessionId: session, summary: 'SECRETPLAN', title: 'SECRETPLAN', lastPrompt: 'SECRETPLAN' }
      const at = swept(
        { [claude]: [{ ...first, customTitle: 'SECRETPLAN', aiTitle: 'SECRETPLAN' }] },
        '[capture]\nignore = ["/home/dev/app"]',
      )
      appendFileSync(join(at.home, claude), lines([prompt('go')]))
      sweep(at)
      expect(keptText(at.store)).not.toMatch(/SECRETPLAN/)
    },
  )

  it('hold no name of a session that the list of Codex has', () => {
    const at = swept({
      [codex]: rollout(),
      '.codex/session_index.jsonl': [
        { id: thread, thread_name: 'my name' },
        { id: 'other', thread_name: 'ITS NAME' },
      ],
    })
    expect(keptText(at.store)).not.toMatch(/ITS NAME/)
  })
})
