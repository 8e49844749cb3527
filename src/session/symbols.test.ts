import { describe, expect, it } from 'vitest'
import { symbolsIn } from './symbols.ts'

describe('names that code defines', () => {
  it.each([
    ['export async function plotTide(a: number) {}\nexport const lowTide = () => 1', ['plotTide', 'lowTide']],
    ['func (t *Tide) Height() int {\ntype Moon struct {', ['Height', 'Moon']],
    ['class Reef:\n    def wade(self):\n        pass', ['Reef', 'wade']],
    ['pub(crate) fn ebb() {}\nimpl Shore {', ['ebb', 'Shore']],
    ['const max = 3\nlet tide = 4\n// function old()', []],
    ['func TestTide(t *testing.T) {\ndef test_ebb():', []],
  ])('%s', (code, names) => {
    expect(symbolsIn(code)).toEqual(names)
  })

  it('are whole and few', () => {
    expect(symbolsIn(`function ${'x'.repeat(100)}() {}`)).toEqual([])
    const many = Array.from({ length: 5000 }, (_, at) => `function tide${at}() {}`).join('\n')
    expect(symbolsIn(many)).toHaveLength(12)
    expect(symbolsIn(`${' '.repeat(64_000)}class`)).toEqual([])
    expect(symbolsIn(`func ${'('.repeat(64_000)}`)).toEqual([])
  })
})
