import { describe, expect, it } from 'vitest'
import { parseUserText } from './content.ts'

describe('parseUserText', () => {
  it.each([
    ['plain words', 'mend the net', 'prompt', 'mend the net'],
    ['the wrapper of a query', '<user_query>\nmend the net\n</user_query>', 'prompt', 'mend the net'],
    ['context before a query', '<user_info>linux</user_info>\n<user_query>mend</user_query>', 'prompt', 'mend'],
    ['context before plain words', '<system-reminder>be brief</system-reminder>\nmend', 'prompt', 'mend'],
    [
      'context alone',
      '<system-reminder>be brief</system-reminder>',
      'context',
      '<system-reminder>be brief</system-reminder>',
    ],
    ['context cut short', '<git_status>M net.ts', 'context', '<git_status>M net.ts'],
    ['a tag that a person pasted', 'why <system-reminder>?', 'prompt', 'why <system-reminder>?'],
    ['a slash command', '/review the net', 'command', '/review the net'],
    ['a path', '/etc/hosts is wrong', 'prompt', '/etc/hosts is wrong'],
  ])('%s', (_, source, kind, text) => {
    expect(parseUserText(source)).toEqual({ kind, text })
  })
})
