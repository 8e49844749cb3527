// Makes an article from an answer and files it in the wiki. The same question updates the same
// article.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LockOwner, tryLock } from '../../core/lock.ts'
import type { Layout } from '../../core/paths.ts'
import { plainLine } from '../../memory/file-name.ts'
import { freeSlug, slugKey, slugOf } from '../../text/slug.ts'
import { ellipsize, oneLine, truncate } from '../../text/truncate.ts'
import { type Article, type ArticleSection, articleFolders, maxSummaryLength } from '../article.ts'
import { readArticle } from '../article-file.ts'
import type { BuildContext } from '../build.ts'
import { recoverBuild } from '../build-recovery.ts'
import { appendToLog, writeIndex } from '../index-and-log.ts'
import { wikilink } from '../links.ts'
import { writeArticles } from '../write.ts'
import { type AskSource, citationText, sessionMark, type WikiAnswer } from './citations.ts'

interface AnswerToFile {
  answer: WikiAnswer
  cited: readonly AskSource[]
  followUps: readonly string[]
  consulted: readonly AskSource[]
  project: string | null
}

const longestTitle = 100

export async function answerArticle(layout: Layout, filed: AnswerToFile): Promise<Article> {
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
    summary: ellipsize(plainLine(summaryOf(answer, cited)), maxSummaryLength),
    sections: sectionsOf(filed),
  }
}

/** Days of the journal and sessions without an entry; if there are none, the cited articles. */
function sourcesOf(cited: readonly AskSource[]): string[] {
  const sessions = cited.flatMap(
    ({ journal, session, kind, id }) => journal ?? session ?? (kind === 'commit' ? id : []),
  )
  const articles = cited.flatMap(({ article }) => article?.path ?? [])
  return [...new Set(sessions.length > 0 ? sessions : articles)].sort()
}

/** Reuses the page of the same question; another question with the same slug keeps its page. */
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

function sectionsOf({ answer, cited, followUps, consulted }: AnswerToFile): ArticleSection[] {
  const articles = new Map(consulted.flatMap(({ article }) => (article ? [[article.path, article.title]] : [])))
  const open = followUps.length === 0 ? '' : `\n\n**Open:** ${followUps.join(' ')}`
  const list = (heading: string, lines: readonly string[]) =>
    `## ${heading}\n\n${lines.map((line) => `- ${line}`).join('\n')}`
  const sources = new Set(cited.map(sourceLine))
  const sections: ArticleSection[] = [
    { name: 'answer', text: `## Answer\n\n${answer.answer}${open}` },
    { name: 'evidence', text: list('Consulted', [...new Set(consulted.map(citationText))]) },
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

function sourceLine(one: AskSource): string {
  const { journal, day, session } = one
  return journal && session ? `${wikilink(journal, day)}, \`${sessionMark(session)}\`` : citationText(one)
}

/** For an answer from passages, the first passage. */
function summaryOf({ answer, by }: WikiAnswer, [first]: readonly AskSource[]): string {
  if (by === 'passages') return first!.text.replace(/^\[[^\]\n]*\]\s*/, '')
  return answer.replace(/\[\[[^\]|]*\|?([^\]]*)\]\]/g, '$1')
}

/** Writes the article with its row in the index and its line in the log. */
export type FileAnswerResult = { kind: 'filed'; path: string } | { kind: 'busy'; owner: LockOwner | undefined }

export async function fileAnswer(
  { ledger, clock }: Pick<BuildContext, 'ledger' | 'clock'>,
  article: Article,
): Promise<FileAnswerResult> {
  const locking = tryLock(join(ledger.layout.run, 'wiki.lock'), 'wiki ask', clock)
  if (locking.kind === 'busy') return locking
  try {
    recoverBuild(ledger)
    await writeArticles({ ledger }, { articles: [article], isAll: true })
    writeIndex({ ledger })
    appendToLog({ ledger }, { what: 'ask', atMs: clock.nowMs(), says: [['1 answer kept', [article.path]]] })
    return { kind: 'filed', path: article.path }
  } finally {
    locking.release()
  }
}
