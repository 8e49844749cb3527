import { describe, expect, it } from 'vitest'
import { effectChart } from './effect-chart.ts'

describe('effectChart', () => {
  const side = (share: number) => ({ share, label: `${100 * share} %`, about: '30 sessions' })
  const chart = (interval: [number, number], isLowerBetter: boolean) =>
    effectChart({
      before: side(0.6),
      after: side(0.1),
      difference: { value: -0.5, interval, label: '−50 points' },
      isLowerBetter,
    }).toString()

  it.each([
    ['fewer problems', [-0.7, -0.3], true, 'interval is-good'],
    ['fewer successes', [-0.7, -0.3], false, 'interval is-bad'],
    ['an interval around zero', [-0.7, 0.1], true, 'interval"'],
  ] as const)('colours %s', (_, interval, isLowerBetter, expected) => {
    expect(chart([...interval], isLowerBetter)).toContain(`class="${expected}`)
  })

  it('has the figures as text', () => {
    expect(chart([-0.7, -0.3], true)).toContain('aria-label="Before: 60 %"')
    expect(chart([-0.7, -0.3], true)).toContain('−50 points')
  })
})
