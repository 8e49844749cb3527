import { expect, it } from 'vitest'
import { entriesIn, textOutside } from '../journal/day-file.ts'
import { articleSearchText, daySearchText } from './search-text.ts'

const token = `ghp_${'aB3'.repeat(12)}`

it('articleSearchText includes text of a person and redacts secrets', () => {
  const content = Buffer.from(`---\ntitle: Ferry\n---\n\n# Ferry\n\nDeploys need ${token}.\n`)
  expect(articleSearchText({ title: 'Ferry', aliases: [], question: null }, content)).toBe(
    'Ferry\n# Ferry\n\nDeploys need [secret: github-token].',
  )
})

it('daySearchText includes text of a person and redacts secrets', () => {
  const content = Buffer.from(`# 2026-09-01\n\nI used ${token} today.\n`)
  expect(daySearchText(entriesIn(content), textOutside(content))).toContain('I used [secret: github-token] today.')
})
