// The frame of every page of the exported site.
import { type Html, html } from '../../html/html.ts'
import { renderStandalone } from '../../html/standalone-page.ts'
import { relativeUrl } from '../markdown.ts'

export const indexFile = 'index.html'

export interface SitePage {
  /** Path in the site. */
  file: string
  title: string
  main: Html
  script?: string
}

export function renderPage({ file, title, main, script }: SitePage): string {
  const home = relativeUrl(file, indexFile)
  const header = html`<nav aria-label="Site"><a class="home" href="${home}">Recollect</a> <a href="${home}#memories">Memories</a> <a href="${home}#journal">Journal</a></nav>`
  const footer = html`<p>Made by Recollect from what was said in sessions with coding agents: evidence of what held then.</p>`
  return renderStandalone({ title, main, header, footer, script })
}
