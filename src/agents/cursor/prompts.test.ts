import { describe, expect, it } from 'vitest'
import { folderOf } from './chat.ts'
import { parsePrompt, promptTime } from './prompts.ts'

describe('Cursor prompts', () => {
  it.each([
    ['morning in UTC', 'Tuesday, Sep 1, 2026, 10:00 AM (UTC)', '2026-09-01T10:00:00.000Z'],
    ['evening behind UTC', 'Tuesday, Sep 1, 2026, 10:30 PM (UTC-7)', '2026-09-02T05:30:00.000Z'],
    ['half an hour ahead', 'Tuesday, Sep 1, 2026, 12:15 AM (UTC+5:30)', '2026-08-31T18:45:00.000Z'],
    ['no time', 'some time', null],
  ])('reads the time of a prompt: %s', (_name, stamp, expected) => {
    expect(promptTime(`<timestamp>${stamp}</timestamp>\n<user_query>go</user_query>`)).toBe(expected)
  })

  it.each([
    ['a query', '<user_query>\ngo\n</user_query>', 'prompt', 'go'],
    ['a query behind added parts', '<rules>be kind</rules>\n<user_query>go</user_query>', 'prompt', 'go'],
    ['words without tags', 'go', 'prompt', 'go'],
    ['added parts before words', '<timestamp>now</timestamp>\ngo', 'prompt', 'go'],
    ['a tag that a person pasted', 'what is <rules>x</rules>?', 'prompt', 'what is <rules>x</rules>?'],
    ['only added parts', '<system_reminder>x</system_reminder>', 'context', '<system_reminder>x</system_reminder>'],
  ])('finds typed text: %s', (_name, said, kind, text) => {
    expect(parsePrompt(said)).toEqual({ kind, text })
  })

  it.each([
    ['/home/dev/kite-map/src/a.ts', 'home-dev-kite-map', '/home/dev/kite-map'],
    ['/home/dev/kite/map.ts', 'home-dev-kite-map', undefined],
    ['C:\\work\\kite\\a.ts', 'C-work-kite', 'C:\\work\\kite'],
    ['src/a.ts', 'src', undefined],
  ])('finds the folder of a project in the path %s', (path, slug, folder) => {
    expect(folderOf(path, slug)).toBe(folder)
  })
})
