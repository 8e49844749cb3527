import { describe, expect, it } from 'vitest'
import { removedFiles } from './changed-files.ts'

const known = ['/home/dev/app/src/try.ts', '/home/dev/app/src/a.ts', '/home/dev/app/lib/a.ts', 'D:\\app\\try.py']

describe('removedFiles', () => {
  it.each([
    ['rm src/try.ts', ['/home/dev/app/src/try.ts']],
    ['cd src && rm -f try.ts && npm test', ['/home/dev/app/src/try.ts']],
    ['rm "D:/app/try.py"\ncd app', ['D:\\app\\try.py']],
    ['git rm -q ./src/try.ts', ['/home/dev/app/src/try.ts']],
    ['rm -rf /home/dev/app/lib', ['/home/dev/app/lib/a.ts']],
    ['rm a.ts', []],
    ['echo rm src/try.ts', []],
    ['rm $FILE *.ts', []],
  ])('%s', (line, paths) => expect(removedFiles(line, known)).toEqual(paths))
})
