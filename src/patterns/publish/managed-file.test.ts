import { describe, expect, it } from 'vitest'
import { isSealed, putManagedFile, removeManagedFile } from './managed-file.ts'

const skill = '---\nname: recollect-release\ndescription: "Make a release."\n---\n\n# Make a release\n\n1. npm test'
const ours = textOf(putManagedFile(undefined, skill))!

describe('putManagedFile and removeManagedFile', () => {
  it('create, keep, update and remove a file', () => {
    expect(isSealed(ours)).toBe(true)
    expect(textOf(putManagedFile(ours, skill))).toBe(ours)
    const next = textOf(putManagedFile(ours, `${skill}\n2. git push`))!
    expect(next).toContain('2. git push')
    expect(removeManagedFile(next)).toEqual({ kind: 'placed', text: undefined })
  })

  it('ignore line ends changed by git', () => {
    const checkedOut = ours.replaceAll('\n', '\r\n')
    expect(textOf(putManagedFile(checkedOut, skill))).toBe(checkedOut)
    expect(removeManagedFile(checkedOut)).toEqual({ kind: 'placed', text: undefined })
  })

  it.each([
    ['a changed line', ours.replace('npm test', 'npm run all')],
    ['a line more', ours.replace('1. npm test', '1. npm test\n2. mine')],
    ['a line below the seal', `${ours}mine\n`],
  ])('refuse an edited file: %s', (_, edited) => {
    expect(putManagedFile(edited, skill)).toEqual({ kind: 'refused', reason: expect.stringMatching(/was changed/) })
    expect(removeManagedFile(edited)).toEqual({ kind: 'refused', reason: expect.stringMatching(/was changed/) })
  })
})

describe('putManagedFile with a foreign file', () => {
  it('neither overwrites nor removes it', () => {
    const theirs = '---\nname: recollect-release\n---\n\nMine.\n'
    expect(putManagedFile(theirs, skill)).toEqual({ kind: 'refused', reason: expect.stringMatching(/already/) })
    expect(removeManagedFile(theirs)).toEqual({ kind: 'placed', text: theirs })
  })
})

function textOf(placed: ReturnType<typeof putManagedFile>): string | undefined {
  return placed.kind === 'placed' ? placed.text : undefined
}
