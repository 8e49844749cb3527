import { expect, it } from 'vitest'
import { zoneOf } from '../../core/units.ts'
import type { Pattern } from '../types.ts'
import { patternReport } from './report.ts'

const pattern: Pattern = {
  id: 'p-1a2b3c4d5e',
  polarity: 'problem',
  type: 'unread edit',
  locus: '',
  title: 'Files are edited before they were read',
  frequency: 12,
  times: 20,
  sessions: 9,
  projects: [],
  agents: ['claude-code', 'codex'],
  crossAgent: true,
  costUsd: 0,
  firstMs: 0,
  lastMs: 0,
  evidence: 'aa00',
  examples: [],
}

it('SPEC D.22: marks patterns that were seen with several agents', () => {
  const one = { ...pattern, title: 'Tests are not run', agents: ['codex'], crossAgent: false }
  const [costs] = patternReport([pattern, one], { names: new Map(), zone: zoneOf('UTC'), max: 10 })
  expect(costs!.paragraphs.map(({ title }) => title)).toEqual([
    'Files are edited before they were read [several agents]',
    'Tests are not run',
  ])
})
