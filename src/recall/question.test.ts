import { describe, expect, it } from 'vitest'
import { intentOf, mentionedWords, mentionsOf, type QuestionIntent, subjectWords } from './question.ts'

describe('intentOf', () => {
  it.each<[QuestionIntent, string]>([
    ['cause', 'why was the login test flaky'],
    ['cause', 'root cause of the lost uploads'],
    ['cause', 'what broke the nightly build'],
    ['cause', 'upload hangs behind the proxy'],
    ['fix', 'how did we fix the lost uploads'],
    ['fix', "didn't we fix this before"],
    ['decision', 'what did we decide about retries'],
    ['decision', 'why do we pin the version of the parser'],
    ['decision', 'which formatter do we use'],
    ['topic', 'deploy'],
    ['fact', 'at which place is the importer configured'],
    ['state', 'where did we leave the importer'],
    ['state', 'what is still open in the importer'],
    ['fact', 'where is the schema of the ledger'],
    [
      'report',
      'Since the upgrade two customers see the totals of somebody else. A failing test is at tests/totals.ts. Fix totals without breaking what works today.',
    ],
  ])('%s: %s', (intent, question) => {
    expect(intentOf(question)).toBe(intent)
  })
})

describe('subjectWords', () => {
  it('leaves out what only says what is asked for', () => {
    expect([...subjectWords('root cause and fix of slow uploads')]).toEqual(['slow', 'upload'])
    expect([...subjectWords('what was the root cause')]).not.toEqual([])
  })
})

describe('mentionsOf', () => {
  it.each([
    ['inflected words', 'the caches were emptied while retrying', 'empty cache retry'],
    ['irregular forms', 'the worker ran and the lock was kept', 'run keep worker'],
    ['parts of identifiers', 'use map_cache, not retryQueue or _leading', 'map queue leading retri'],
    ['words within others', 'a classification of passes', 'class pass'],
    ['other scripts', 'die Größe der Datenbank ändert sich; 数据库', 'größe datenbank 数据'],
    ['nothing', 'something else', 'lamp'],
  ])('finds what mentionedWords finds: %s', (_, text, words) => {
    const wanted = subjectWords(words)
    const mentioned = mentionedWords(text)
    expect(mentionsOf(text, wanted)).toEqual(new Set([...wanted].filter((word) => mentioned.has(word))))
  })
})

describe('mentionedWords', () => {
  it('has the parts of identifiers', () => {
    expect([...mentionedWords('use map_cache, not retryQueue')]).toEqual(
      expect.arrayContaining(['map_cache', 'map', 'cach', 'retri', 'queue']),
    )
  })
})
