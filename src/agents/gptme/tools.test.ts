import { describe, expect, it } from 'vitest'
import { parseReply } from './tools.ts'

describe('parseReply', () => {
  const shell = (command: string) => ({ tool: 'shell', input: { command } })

  it.each([
    ['a block of a tool', 'I look.\n\n```shell\nls\n```', '', 'I look.', [shell('ls')]],
    ['a block that is only shown', '```json\n{}\n```', '', '```json\n{}\n```', []],
    ['a former tool that ran', '```bash\nls\n```', 'Ran command: `ls`', '', [shell('ls')]],
    ['a former tool that is only shown', '```bash\nls\n```', 'Go on', '```bash\nls\n```', []],
    ['two blocks', '```shell\nls\n```\nand\n```shell\npwd\n```', '', 'and', [shell('ls'), shell('pwd')]],
    [
      'a block inside of a block',
      '```save a.md\n```sh\nls\n```\nend\n```',
      '',
      '',
      [{ tool: 'save', input: { path: 'a.md', content: '```sh\nls\n```\nend' } }],
    ],
    ['a fence that stays open', '```shell\nls', '', '```shell\nls', []],
    ['lines that end as on Windows', '```shell\r\nls\r\n```', '', '', [shell('ls')]],
    [
      'calls with ids',
      'So:\n@shell(c-1): {"command": "echo }"}\n@read(c-2): {"path": "a"}',
      '',
      'So:',
      [
        { tool: 'shell', call: 'c-1', input: { command: 'echo }' } },
        { tool: 'read', call: 'c-2', input: { path: 'a' } },
      ],
    ],
    ['a call whose JSON is cut off', '@shell(c-1): {"command": "ls', '', '@shell(c-1): {"command": "ls', []],
    [
      'tags',
      '<tool-use><save path="a.md">\nx\n</save></tool-use>',
      '',
      '',
      [{ tool: 'save', input: { path: 'a.md', content: 'x' } }],
    ],
    ['tags of functions', '<function_calls><invoke name="shell">ls</invoke></function_calls>', '', '', [shell('ls')]],
  ])('finds the calls in an answer: %s', (_, content, followedBy, reply, uses) => {
    expect(parseReply(content, followedBy)).toEqual({ thinking: '', reply, uses })
  })

  it('finds no call in the thinking of the model', () => {
    expect(parseReply('<think>```shell\nls\n```</think>Done.', '')).toEqual({
      thinking: '```shell\nls\n```',
      reply: 'Done.',
      uses: [],
    })
  })
})
