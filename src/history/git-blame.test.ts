import { expect, it } from 'vitest'
import { parsePorcelain } from './git-blame.ts'

const first = 'a'.repeat(40)
const second = 'b'.repeat(40)

it('parsePorcelain reads lines with their commits, each described once', () => {
  const output = [
    `${first} 1 1 1`,
    'author Mara',
    'author-mail <mara@example.com>',
    'author-time 1788253200',
    'author-tz +0200',
    'committer Mara',
    'committer-time 1788256800',
    'summary Begin with a name',
    'boundary',
    'filename src/old name.ts',
    '\tconst a = 1',
    `${second} 5 2 1`,
    'author Jon',
    'author-time 1788260400',
    'committer-time 1788260400',
    'summary Add',
    `previous ${first} src/app.ts`,
    'filename src/app.ts',
    '\t\tauthor of nothing',
    `${first} 2 3 2`,
    '\t',
    `${first} 3 4`,
    '\tconst b = 2',
    `${'0'.repeat(40)} 5 5 1`,
    'author Not Committed Yet',
    'author-time 1788264000',
    'filename src/app.ts',
    '\tconst c = 3',
    '',
  ].join('\n')
  const begun = {
    hash: first,
    author: 'Mara',
    authorMs: 1788253200_000,
    committerMs: 1788256800_000,
    subject: 'Begin with a name',
    path: 'src/old name.ts',
  }
  expect(parsePorcelain(output)).toEqual([
    { from: 1, to: 1, text: ['const a = 1'], commit: begun },
    {
      from: 2,
      to: 2,
      text: ['\tauthor of nothing'],
      commit: expect.objectContaining({ author: 'Jon', subject: 'Add' }),
    },
    { from: 3, to: 4, text: ['', 'const b = 2'], commit: begun },
    { from: 5, to: 5, text: ['const c = 3'], commit: null },
  ])
})
