import { describe, expect, it } from 'vitest'
import { withoutCopies } from './lines.ts'

const file = 'line with "quotes" and \\"escapes\\"\n'.repeat(300)
const trimmed = (record: object) => JSON.parse(withoutCopies(Buffer.from(JSON.stringify(record))).toString())

describe('withoutCopies', () => {
  it('cuts the file before an edit out of its result, and nothing else', () => {
    const patch = [{ oldStart: 1, lines: ['-a', '+b'] }]
    const record = {
      message: { content: file },
      toolUseResult: { filePath: 'a.ts', originalFile: file, structuredPatch: patch },
      cwd: '/work',
    }
    expect(trimmed(record)).toEqual({ ...record, toolUseResult: { ...record.toolUseResult, originalFile: '' } })
  })
  it('cuts the file that was read out of its result', () => {
    const read = (content: string) => ({
      type: 'user',
      toolUseResult: { type: 'text', file: { filePath: 'a.ts', content, numLines: 300 } },
      sessionId: 's',
    })
    expect(trimmed(read(file))).toEqual(read(''))
  })
  it.each([
    [
      'keys of two different objects',
      {
        type: 'user',
        toolUseResult: {
          list: [
            { id: 'a', content: file },
            { id: 'b', content: 'x', numLines: 2 },
          ],
        },
      },
    ],
    ['a result without copies', { message: { content: file }, toolUseResult: { stdout: file, stderr: '' } }],
    [
      'the same words inside a text',
      { message: { content: `${file}"originalFile":"x","structuredPatch":` }, toolUseResult: { stdout: 'ok' } },
    ],
  ])('leaves %s alone', (_, record) => expect(trimmed(record)).toEqual(record))
})
