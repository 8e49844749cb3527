import { describe, expect, it } from 'vitest'
import {
  chartFigures,
  heatLevels,
  heatmap,
  heatStrip,
  intervalChart,
  legendOf,
  niceTop,
  shareBars,
  sparkline,
  stackedBars,
} from './charts.ts'

describe('stackedBars', () => {
  const chart = {
    label: 'Cost by day',
    names: ['2026-09-01', '2026-09-02', '2026-09-03'],
    ticks: ['1 Sep', '2 Sep', '3 Sep'],
    series: [
      { name: 'opus', colour: 'c0', values: [2, 0, 1] },
      { name: '<b>haiku', colour: 'c1', values: [2, 0, 0] },
    ],
    format: (value: number) => `$${value}`,
    formatAxis: String,
  }
  const draw = () => stackedBars(chart).toString()

  it('draws a part for each value above zero, one on top of the other', () => {
    const parts = [
      ...draw().matchAll(/<rect class="(c\d)" x="[\d.]+%" y="([\d.]+)" width="[\d.]+%" height="([\d.]+)"/g),
    ]
    expect(parts.map(([, ...part]) => part)).toEqual([
      ['c0', '88', '70'],
      ['c1', '18', '70'],
      ['c0', '123', '35'],
    ])
  })

  it('names bars and parts for people who point at them, escaped', () => {
    expect(draw()).toContain('<title>2026-09-01: $4\nopus: $2\n&lt;b&gt;haiku: $2</title>')
    expect(draw()).toContain('<title>2026-09-03: $1</title>')
    expect(draw()).toContain('role="img" aria-label="Cost by day"')
  })

  it('draws an empty chart', () => {
    const empty = stackedBars({
      label: 'None',
      names: [],
      ticks: [],
      series: [],
      format: String,
      formatAxis: String,
    }).toString()
    expect(empty).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('has its figures as a table, without bars of nothing', () => {
    const text = chartFigures(chart).toString()
    expect([...text.matchAll(/<th scope="row">([\d-]+)/g)].map(([, name]) => name)).toEqual([
      '2026-09-01',
      '2026-09-03',
    ])
    expect(text).toContain('<th scope="row">2026-09-03</th><td class="num">$1</td><td class="num"></td>')
  })
})

it.each([
  [0, 1],
  [0.0035, 0.004],
  [1, 1],
  [1.3, 1.6],
  [105, 120],
  [999, 1000],
])('the axis for %d ends at %d', (value, top) => expect(niceTop(value)).toBeCloseTo(top, 10))

it('levels of heat do not depend on one busy day', () => {
  const levelOf = heatLevels([0, 0, 1, 2, 3, 4, 500])
  expect([1, 2, 3, 4, 500].map(levelOf)).toEqual([1, 1, 2, 3, 4])
})

it('a heatmap has weeks as columns and links days with a value', () => {
  const days = Array.from({ length: 9 }, (_, at) => ({
    day: `2026-09-0${at + 1}`,
    value: at === 8 ? 3 : 0,
    title: `day ${at}`,
    url: `/?day=2026-09-0${at + 1}`,
  }))
  const text = heatmap({ label: 'Sessions', days, current: '2026-09-09' }).toString()
  expect([...text.matchAll(/<a /g)]).toHaveLength(1)
  expect(text).toContain(
    '<a href="/?day=2026-09-09" tabindex="-1"><title>day 8</title><rect class="h1 is-current" y="13"',
  )
})

it('a strip draws only values above zero', () => {
  const text = heatStrip([0, 2, 0, 4], 'codex').toString()
  expect([...text.matchAll(/class="(h\d)" d="(M\d+ 0)/g)].map(([, ...cell]) => cell)).toEqual([
    ['h1', 'M10 0'],
    ['h4', 'M30 0'],
  ])
})

it('shares stand below their bars, with gaps', () => {
  const text = shareBars(['a', 'b'], [null, 0.5], 'Cache share').toString()
  expect(text).toContain('<title>b: 50 %</title><rect class="c7" x="9.33%" y="10" width="6.33%" height="10"/>')
  expect(text).not.toContain('<title>a')
})

it('a sparkline passes over missing values', () => {
  expect(sparkline([0, 1, null, 1], 'share', { max: 1 }).toString()).toContain('d="M0 23L33.33 1L100 1"')
  expect(sparkline([], 'none').toString()).not.toMatch(/NaN|Infinity/)
})

it('an interval stays on its axis', () => {
  const text = intervalChart({ label: 'Effect', min: -1, max: 1, low: -3, value: 0.5, high: 0.75 }).toString()
  expect(text).toContain('<rect class="band" x="0%" width="87.5%"')
  expect(text).toContain('<circle cx="75%"')
  expect(text).toContain('class="zero" x1="50%"')
})

it('a legend names colours', () => {
  expect(legendOf([{ name: 'a&b', colour: 'c2', detail: '$1' }]).toString()).toBe(
    '<ul class="legend"><li><span class="dot c2"></span> a&amp;b <b>$1</b></li></ul>',
  )
})
