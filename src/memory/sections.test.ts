import { describe, expect, it } from 'vitest'
import { kindsIn, statementSectionOf } from './sections.ts'

describe('statementSectionOf', () => {
  it('counts how to run something as a rule', () => {
    expect(statementSectionOf({ kind: 'operational', status: 'settled' })).toBe('rules')
    expect(kindsIn('rules')).toEqual(['correction', 'preference', 'operational'])
    expect(kindsIn('facts')).toEqual(['fact'])
  })

  it('counts what failed as a problem, whatever its kind', () =>
    expect(statementSectionOf({ kind: 'decision', status: 'tried-and-failed' })).toBe('traps'))
})
