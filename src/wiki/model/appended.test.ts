import { describe, expect, it } from 'vitest'
import { appendedPart, askedOf } from './appended.ts'

describe('what of a day was not read', () => {
  const read = Buffer.from('# Friday\n\nÜber Mittag.\n')

  it.each([
    ['nothing was asked yet', read, { hash: null, bytes: 0 }, '# Friday\n\nÜber Mittag.\n'],
    ['nothing has changed', read, askedOf(read), ''],
    ['something was added behind it', Buffer.concat([read, Buffer.from('Später.\n')]), askedOf(read), 'Später.\n'],
    [
      'an entry has changed in place',
      Buffer.from('# Friday\n\nÜber Abend.\nMehr.\n'),
      askedOf(read),
      '# Friday\n\nÜber Abend.\nMehr.\n',
    ],
    ['it has become shorter', Buffer.from('# Friday\n'), askedOf(read), '# Friday\n'],
  ])('where %s', (_, content, asked, part) => {
    expect(appendedPart(content, asked)).toBe(part)
  })
})
