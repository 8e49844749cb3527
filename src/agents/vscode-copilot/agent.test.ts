import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collect } from '../../../test/agents/collect.ts'
import { vscodeCopilot } from './agent.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recollect-vscode-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('copies of a chat session', () => {
  it.each([
    ['the folder that was opened later', 100, 200, ['tie a knot', 'and a bow']],
    ['the empty window', 300, 200, ['tie a knot']],
  ])('are read once, where they changed last: in %s', (_, emptySeconds, folderSeconds, prompts) => {
    write('globalStorage/emptyWindowChatSessions/s1.jsonl', chat('s1', 'tie a knot'), emptySeconds)
    write('workspaceStorage/w1/chatSessions/s1.jsonl', chat('s1', 'tie a knot', 'and a bow'), folderSeconds)
    expect(promptsOf('s1')).toEqual(prompts)
  })

  it('are read from the log if the older form is beside it', () => {
    write('workspaceStorage/w1/chatSessions/s1.jsonl', chat('s1', 'tie a knot', 'and a bow'), 100)
    write('workspaceStorage/w1/chatSessions/s1.json', '{"sessionId":"s1","requests":[]}', 200)
    expect(promptsOf('s1')).toEqual(['tie a knot', 'and a bow'])
  })
})

describe('the folder of a window', () => {
  it.each([
    ['a folder', { folder: 'file:///srv/my%20app' }, '/srv/my app'],
    ['a folder on Windows', { folder: 'file:///c%3A/Users/dev/app' }, String.raw`c:\Users\dev\app`],
    ['a folder on another machine', { folder: 'vscode-remote://ssh-remote%2Bhost/srv/app' }, '/srv/app'],
    ['a list of folders that is not here', { workspace: 'file:///srv/app/all.code-workspace' }, undefined],
    ['nothing', {}, undefined],
  ])('is taken from its file: %s', (_, content, cwd) => {
    write('workspaceStorage/w1/workspace.json', JSON.stringify(content))
    write('workspaceStorage/w1/chatSessions/s1.jsonl', chat('s1', 'tie a knot'))
    expect(read().sessions.get('s1')!.about.cwd).toBe(cwd)
  })

  it('is the first of a list of folders', () => {
    write('lists/all.code-workspace', '{"folders":[{"path":"app"},{"path":"/srv/other"}]}')
    write(
      'workspaceStorage/w1/workspace.json',
      JSON.stringify({ workspace: `file://${user('lists/all.code-workspace')}` }),
    )
    write('workspaceStorage/w1/chatSessions/s1.jsonl', chat('s1', 'tie a knot'))
    expect(read().sessions.get('s1')!.about.cwd).toBe(user('lists/app'))
  })
})

describe('the transcript for hooks', () => {
  const path = 'workspaceStorage/w1/GitHub.copilot-chat/transcripts/t1.jsonl'
  const transcript = JSON.stringify({ type: 'user.message', data: { content: 'tie a knot' }, id: 'e1' })

  it('is read on the other side of a remote window', () => {
    write(path, transcript)
    expect(promptsOf('t1')).toEqual(['tie a knot'])
  })

  it.each([
    ['has its name', chat('t1', 'tie a knot')],
    [
      'names it',
      chat('s1', 'tie a knot').replace('"requestId"', '"result":{"metadata":{"sessionId":"t1"}},"requestId"'),
    ],
  ])('is left alone if a chat session %s', (_, content) => {
    write(path, transcript, 100)
    write(`workspaceStorage/w1/chatSessions/${content.includes('"sessionId":"s1"') ? 's1' : 't1'}.jsonl`, content, 200)
    expect([...read().sessions.values()].flatMap(({ events }) => events)).toHaveLength(1)
  })

  // VS Code writes the chat session a while after the transcript, and removes it when the user does.
  it('is left alone where an editor keeps its state', () => {
    write('globalStorage/state.vscdb', '')
    write(path, transcript)
    expect(read().sessions.size).toBe(0)
  })
})

describe('sender', () => {
  it.each([
    ['"/home/dev/.config/Code/User/workspaceStorage/w1/GitHub.copilot-chat/transcripts/t1.jsonl"', true],
    [String.raw`"C:\\Users\\dev\\Code\\User\\workspaceStorage\\w1\\GitHub.copilot-chat\\transcripts\\t1.jsonl"`, true],
    ['"/home/dev/.claude/projects/-home-dev-app/t1.jsonl"', false],
  ])('of a payload with the transcript %s: %s', (path, isOwn) => {
    expect(vscodeCopilot.sender!.recognises(new Map([['transcript_path', path]]))).toBe(isOwn)
  })
})

function user(path: string): string {
  return join(home, '.config', 'Code', 'User', path)
}

function write(path: string, content: string, changedSeconds = 100): void {
  mkdirSync(dirname(user(path)), { recursive: true })
  writeFileSync(user(path), `${content}\n`)
  utimesSync(user(path), changedSeconds, changedSeconds)
}

function chat(sessionId: string, ...prompts: string[]): string {
  const requests = prompts.map((text) => ({ requestId: `${sessionId}/${text}`, message: { text }, response: [] }))
  return JSON.stringify({ kind: 0, v: { sessionId, requests } })
}

function read() {
  return collect(vscodeCopilot, { home, env: {}, platform: 'linux' })
}

function promptsOf(session: string): string[] {
  return read()
    .sessions.get(session)!
    .events.map(({ text }) => text)
}
