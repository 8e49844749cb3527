import { describe, expect, it } from 'vitest'
import { subjectsIn } from './subjects.ts'

const words = (text: string) => subjectsIn(text).map((subject) => subject.words)

describe('subjectsIn', () => {
  it.each([
    ['a subject before its verb', 'Releases are tagged by hand', ['Releases', 'hand']],
    ['a pair and its nouns, if they are not too wide', 'Write the release notes', ['release notes', 'release']],
    ['an object', 'Never use yarn here', ['yarn']],
    ['an object of a statement', 'The feed sends dates as text', ['feed', 'dates']],
    ['a noun that could be a verb', 'Commit messages are short', ['Commit messages', 'Commit']],
    ['an imperative is no subject', 'Commit often', []],
    ['counted things are in the plural', 'One commit per change', ['commits']],
    ['identifiers, paths and code are no subjects', 'base_coder.py and `run` in src/io, not ApplyError', []],
    ['wide nouns are no subjects alone', 'The files of the project', []],
    ['verbs are no subjects', 'We started seeing it without testing, last seen by Ann', ['Ann']],
    ['a reason is about something else', 'Cache nothing, because customers saw old prices', []],
    ['acronyms', 'The ERP wants CRLF', ['ERP', 'CRLF']],
    ['the verb between a noun and its object', 'The page shows no banner', ['banner']],
    ['the only verb of a clause', 'The alarm bell rings at night', ['alarm bell', 'bell', 'alarm']],
    ['the verb of a relative clause', 'A job that writes invoices', ['jobs', 'invoices']],
    ['a noun before an adverb and its verb', 'Branch names never contain dates', ['Branch names', 'Branch', 'dates']],
    ['an imperative before its object', 'Rework the parser', ['parser']],
    ['other languages have none', 'Die Daten werden immer in der Datenbank gespeichert, nie in der Datei', []],
  ])('%s', (_, text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  it('gives all forms of a word the same key', () => {
    const keys = ['Tests are slow', 'the test', 'Testing'].map((text) => subjectsIn(text)[0]!.key)
    expect(new Set(keys).size).toBe(1)
  })
})
