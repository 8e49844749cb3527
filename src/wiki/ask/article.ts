// An answer that is worth keeping, as a page of the wiki: asked again, the same page is written anew.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../../core/paths.ts'
import { plainLine } from '../../memory/file-name.ts'
import { freeSlug, slugKey, slugOf } from '../../text/slug.ts'
import { ellipsize, oneLine, truncate } from '../../text/truncate.ts'
import { type Article, articleFolders, maxSummary, type Section } from '../article.ts'
import { readArticle } from '../article-file.ts'
import { wikilink } from '../links.ts'
import type { WikiAnswer } from './ask.ts'
import { citing, sessionMark } from './cite.ts'
import type { Consulted } from './retrieve.ts'

export interface Filed {
  answer: WikiAnswer
  cited: readonly Consulted[]
  followUps: readonly string[]
  consulted: readonly Consulted[]
  project: string | null
}

const longestTitle = 100

export async function answerArticle(layout: Layout, filed: Filed): Promise<Article> {
  const { answer, cited, project } = filed
  const days = cited.map(({ day }) => day).sort()
  const question = oneLine(answer.question)
  const title = ellipsize(plainLine(question), longestTitle)
  return {
    kind: 'answer',
    path: await pathOf(layout, title, question),
    head: {
      title,
      aliases: [],
      tags: ['answer'],
      project,
      topic: null,
      connects: [],
      question: truncate(question, 1000),
      sources: sourcesOf(cited),
      created: days[0]!,
      updated: days.at(-1)!,
    },
    summary: ellipsize(plainLine(gistOf(answer, cited)), maxSummary),
    sections: sectionsOf(filed),
  }
}

/** Days of the journal, and sessions that no day tells of; the article itself where a person or a model alone says it. */
function sourcesOf(cited: readonly Consulted[]): string[] {
  const said = cited.flatMap(({ journal, session, kind, id }) => journal ?? session ?? (kind === 'commit' ? id : []))
  const told = cited.flatMap(({ article }) => article?.path ?? [])
  return [...new Set(said.length > 0 ? said : told)].sort()
}

/** Another question with the same words keeps its page. */
async function pathOf(layout: Layout, title: string, question: string): Promise<string> {
  const folder = join(layout.vault, articleFolders.answer)
  const own = slugOf(title)
  const asked = await questionAt(join(folder, `${own}.md`))
  if (asked === question) return `${articleFolders.answer}/${own}`
  const names = existsSync(folder) ? readdirSync(folder) : []
  const taken = new Set(names.map((name) => slugKey(name.replace(/\.md$/i, ''))))
  const slug = freeSlug(title, { qualifier: 'answer', identity: question, isTaken: (key) => taken.has(key) })
  return `${articleFolders.answer}/${slug}`
}

async function questionAt(path: string): Promise<string | null> {
  return existsSync(path) ? ((await readArticle(readFileSync(path))).head.question ?? null) : null
}

function sectionsOf({ answer, cited, followUps, consulted }: Filed): Section[] {
  const articles = new Map(consulted.flatMap(({ article }) => (article ? [[article.path, article.title]] : [])))
  const open = followUps.length === 0 ? '' : `\n\n**Open:** ${followUps.join(' ')}`
  const list = (heading: string, lines: readonly string[]) =>
    `## ${heading}\n\n${lines.map((line) => `- ${line}`).join('\n')}`
  const sources = new Set(cited.map(sourceLine))
  const sections: Section[] = [
    {
      name: 'answer',
      text: `## Answer\n\n${answer.answer}${open}`,
      ...(answer.by === 'passages' ? {} : { isByModel: true }),
    },
    { name: 'evidence', text: list('Consulted', [...new Set(consulted.map(citing))]) },
  ]
  if (articles.size > 0)
    sections.push({
      name: 'related',
      text: list(
        'Related',
        [...articles].map(([path, title]) => wikilink(path, title)),
      ),
    })
  return [...sections, { name: 'sources', text: list('Sources', [...sources]) }]
}

function sourceLine(one: Consulted): string {
  const { journal, day, session } = one
  return journal && session ? `${wikilink(journal, day)}, \`${sessionMark(session)}\`` : citing(one)
}

/** Of passages, what the first of them says. */
function gistOf({ answer, by }: WikiAnswer, [first]: readonly Consulted[]): string {
  if (by === 'passages') return first!.text.replace(/^\[[^\]\n]*\]\s*/, '')
  return answer.replace(/\[\[[^\]|]*\|?([^\]]*)\]\]/g, '$1')
}
