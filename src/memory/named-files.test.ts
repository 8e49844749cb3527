import { describe, expect, it } from 'vitest'
import { filesIn, namesFile } from './named-files.ts'

describe('filesIn', () => {
  it.each([
    ['Never edit `src/queue.ts` by hand.', ['src/queue.ts']],
    ['The limit is in ./config/limits.toml, not in limits.ts.', ['config/limits.toml', 'limits.ts']],
    ['See https://example.com/a.html and example.com.', []],
    ['Use version 1.2.3 of the parser.', []],
  ])('finds in %j', (text, files) => expect(filesIn(text)).toEqual(files))
})

describe('namesFile', () => {
  it.each([
    ['src/queue.ts', 'src/queue.ts', true],
    ['queue.ts', 'src/queue.ts', true],
    ['queue.ts', 'src/my-queue.ts', false],
    ['index.ts', 'src/index.ts', false],
    ['src/index.ts', 'packages/a/src/index.ts', true],
    ['package.json', 'package.json', true],
  ])('%s means %s: %s', (name, path, is) => expect(namesFile(name, path)).toBe(is))
})
