import { describe, expect, it } from 'vitest'
import { checkFreeSpace } from './machine.ts'

describe('checkFreeSpace', () => {
  it('says on a full disk what to do, and that nothing was lost', () => {
    expect(checkFreeSpace(0, '/home/me/.recollect')).toEqual({
      name: 'disk',
      ok: false,
      detail: '0 B free',
      fix: 'The disk is full: free some space for /home/me/.recollect, then run it again. Nothing was lost.',
    })
    expect(checkFreeSpace(1e9, '/home/me/.recollect')).toMatchObject({ ok: true })
  })
})
