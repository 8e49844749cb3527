import type { JournalDay } from '../../journal/read-day.ts'
import { relativeUrl } from '../urls.ts'
import { escaped } from './escape.ts'
import { fileOfDay } from './links.ts'
import { renderMarkdown } from './markdown.ts'
import type { SitePage } from './page.ts'
import { linkedFrom, type Site, withoutTitle } from './parts.ts'

export function dayPage(
  site: Site,
  { day, text }: JournalDay,
  { before, after }: { before: string | undefined; after: string | undefined },
): SitePage {
  const file = fileOfDay(day)
  const title = /^# +(.+)/.exec(text)?.[1] ?? day
  const to = (other: string | undefined, words: string) =>
    other === undefined ? '' : `<a href="${relativeUrl(file, fileOfDay(other))}">${words} ${other}</a>`
  const ways = [to(before, 'Before:'), to(after, 'After:')].filter((way) => way !== '')
  const main = [
    `<h1>${escaped(title)}</h1>`,
    ways.length === 0 ? '' : `<p class="facts">${ways.join(' · ')}</p>`,
    renderMarkdown(withoutTitle(text), site.links.resolveFrom(file)),
    linkedFrom(site, file, `journal/${day}`, 'Articles from this day'),
  ]
  return { file, title, main: main.filter((part) => part !== '').join('\n') }
}
