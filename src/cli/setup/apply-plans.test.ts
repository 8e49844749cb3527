import { describe, expect, it } from 'vitest'
import type { FileEdit } from '../../install/types.ts'
import { planQuestion } from './apply-plans.ts'

const edit = {} as FileEdit

describe('planQuestion', () => {
  it('offers hooks and the MCP server', () =>
    expect(planQuestion([{ edits: [] }, { edits: [edit] }])).toMatchObject({
      question: 'Install both [y], only hooks [h], show all changes first [d], nothing [N]: ',
      hasHooks: true,
    }))

  it('offers only the MCP server where the hooks are installed', () =>
    expect(planQuestion([{ edits: [] }])).toMatchObject({
      question: 'Register the MCP server [y], show all changes first [d], nothing [N]: ',
      hasHooks: false,
    }))
})
