import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Collection, outInto } from '../../../test/agents/collect.ts'
import type { Event } from '../../core/session.ts'
import { geminiCli } from './agent.ts'

describe('Gemini CLI', () => {
  const temporary: string[] = []
  afterEach(() => {
    for (const path of temporary.splice(0)) rmSync(path, { recursive: true, force: true })
  })

  const header = { sessionId: 's', projectHash: 'h', startTime: '2026-05-01T10:00:00.000Z' }
  const user = (id: string, text: string) => ({ id, type: 'user', content: [{ text }] })
  const gemini = (id: string, text: string, more: object = {}) => ({ id, type: 'gemini', content: text, ...more })
  const call = (status: string, output?: string) => ({
    id: 'c1',
    name: 'read_file',
    args: {},
    status,
    result: output === undefined ? undefined : [{ functionResponse: { id: 'c1', response: { output } } }],
  })

  it('counts the prompts that a rewind retracts', () => {
    const events = read(header, user('a', 'one'), user('b', 'two'), gemini('g', 'yes'), user('c', 'three'), {
      $rewindTo: 'b',
    })
    expect(events.map((event) => event.undoes ?? event.text)).toEqual(['one', 'two', 'yes', 'three', 2])
  })

  it('retracts everything when the message of a rewind is missing', () => {
    expect(read(header, user('a', 'one'), user('b', 'two'), { $rewindTo: '?' }).at(-1)!.undoes).toBe(2)
  })

  it('keeps messages when the history is compressed, and recognises a turn with a new id', () => {
    const events = read(header, user('a', 'one'), gemini('g', 'long answer'), {
      $set: {
        messages: [user('z', '<state_snapshot>short</state_snapshot>'), user('a2', 'one'), gemini('g', '[masked]')],
      },
    })
    expect(events.map((event) => [event.kind, event.text])).toEqual([
      ['prompt', 'one'],
      ['reply', 'long answer'],
      ['compaction', '<state_snapshot>short</state_snapshot>'],
    ])
    expect(events.at(-1)!.keepsFrom).toBe('a')
  })

  it('emits a call once, with its first result', () => {
    const events = read(
      header,
      gemini('g', '', { toolCalls: [call('executing')] }),
      gemini('g', '', { toolCalls: [call('success', 'whole')] }),
      { id: 'r', type: 'user', content: call('success', 'whole').result },
      { $patch: { id: 'g', toolCalls: [call('success', '[masked]')] } },
    )
    expect(events.map((event) => [event.kind, event.text])).toEqual([
      ['tool_call', ''],
      ['tool_result', 'whole'],
    ])
  })

  it('finds all files of a session as one transcript', () => {
    const hash = 'a'.repeat(64)
    const root = home({
      [`tmp/${hash}/chats/session-2026-05-01T10-00-0123abcd.json`]: '{}',
      'tmp/lantern/chats/session-2026-05-01T10-00-0123abcd.json': '{}',
      'tmp/lantern/chats/session-2026-05-01T10-00-0123abcd.jsonl': '',
      'tmp/lantern/chats/session-2026-05-01T11-00-ffffffff.jsonl': '',
      'tmp/lantern/chats/session-2026-05-01T11-00-ffffffff.jsonl.unreadable-1': '',
      'tmp/lantern/logs.json': '[]',
    })
    expect(
      [...geminiCli.find(root)].map(({ path, also }) => [path, ...also!].map((file) => file.slice(root.length + 5))),
    ).toEqual([
      [
        'lantern/chats/session-2026-05-01T10-00-0123abcd.jsonl',
        `${hash}/chats/session-2026-05-01T10-00-0123abcd.json`,
        'lantern/chats/session-2026-05-01T10-00-0123abcd.json',
      ],
      ['lantern/chats/session-2026-05-01T11-00-ffffffff.jsonl'],
    ])
  })

  function read(...records: object[]): Event[] {
    const root = home({
      'tmp/lantern/chats/session-2026-05-01T10-00-0123abcd.jsonl': records
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    })
    const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
    for (const transcript of geminiCli.find(root)) {
      if (transcript.shape === 'document') transcript.read(outInto(collection), undefined)
    }
    return collection.sessions.get('s')!.events
  }

  function home(files: Record<string, string>): string {
    const root = mkdtempSync(join(tmpdir(), 'recollect-gemini-'))
    temporary.push(root)
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    }
    return root
  }
})
