import { describe, expect, it } from 'vitest'
import { type CommonTools, commonCall, commonResult, nativeCall, nativeResult } from './common-tools.ts'

const tools: CommonTools = {
  shell: {
    tool: 'run',
    also: ['old_run'],
    command: 'cmd',
    folder: 'workdir',
    ignores: ['timeout'],
    result: {
      render: ({ text, exit }) => (exit ? `${text}\nexit ${exit}` : text),
      parse: ({ text }) => text.replace(/\nexit \d+$/, ''),
    },
  },
  edit: { tool: 'change', path: 'file', before: 'old', after: 'new' },
}

describe('commonCall', () => {
  it.each([
    ['a command', 'run', { cmd: 'ls' }, { kind: 'shell', command: 'ls' }],
    [
      'a command of an earlier version',
      'old_run',
      { command: ['bash', '-lc', 'ls'] },
      { kind: 'shell', command: 'ls' },
    ],
    ['in the folder of the session', 'run', { cmd: 'ls', workdir: '/app' }, { kind: 'shell', command: 'ls' }],
    ['in another folder', 'run', { cmd: 'ls', workdir: '/other' }, undefined],
    ['with an argument that steers the client', 'run', { cmd: 'ls', timeout: 5 }, { kind: 'shell', command: 'ls' }],
    ['with an argument that others lack', 'run', { cmd: 'ls', background: true }, undefined],
    ['with one that is switched off', 'run', { cmd: 'ls', background: false }, { kind: 'shell', command: 'ls' }],
    ['an edit', 'change', { file: 'a', old: 'x', new: 'y' }, { kind: 'edit', path: 'a', before: 'x', after: 'y' }],
    ['an edit with a wrong type', 'change', { file: 'a', old: 'x', new: 1 }, undefined],
    ['a tool that the agent does not have', 'read', { path: 'a' }, undefined],
  ] as const)('recognises %s', (_, tool, input, expected) => {
    const given = JSON.parse(JSON.stringify(input))
    expect(commonCall(tools, tool, given, '/app')).toEqual(expected)
  })
})

describe('nativeCall', () => {
  it('uses the names of the agent', () => {
    expect(nativeCall(tools, { kind: 'shell', command: 'ls' })).toEqual({ tool: 'run', input: { cmd: 'ls' } })
    expect(nativeCall(tools, { kind: 'read', path: 'a' })).toBeUndefined()
  })
})

describe('nativeResult and commonResult', () => {
  it('never leave a result without text, which services refuse, and take it away again', () => {
    const shell = { kind: 'shell', command: 'true' } as const
    const text = nativeResult(tools, shell, { text: '\n' })
    expect(text).toBe('(no output)')
    expect(commonResult(tools, shell, { text })).toEqual({ text: '' })
  })

  it('write the exit code as the agent does, and take it away again', () => {
    const shell = { kind: 'shell', command: 'ls' } as const
    const result = { text: 'no such file', error: 'failed', exit: 2 } as const
    const text = nativeResult(tools, shell, result)
    expect(text).toBe('no such file\nexit 2')
    expect(commonResult(tools, shell, { ...result, text })).toEqual(result)
  })
})
