// What every page of the site has around its content. Each stands alone: no file besides it is loaded, and nothing may be.
import { createHash } from 'node:crypto'
import { relativeUrl } from '../urls.ts'
import { escaped } from './escape.ts'
import { indexFile } from './links.ts'
import { style } from './style.ts'

export interface SitePage {
  /** Where it lies in the site. */
  file: string
  title: string
  /** HTML. */
  main: string
  script?: string
}

export function renderPage({ file, title, main, script = '' }: SitePage): string {
  const home = relativeUrl(file, indexFile)
  const allowed = `default-src 'none'; style-src '${hashOf(style)}'; script-src ${script === '' ? "'none'" : `'${hashOf(script)}'`}; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${allowed}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Recollect">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header><nav aria-label="Site"><a class="home" href="${home}">Wiki</a> <a href="${home}#memories">Memories</a> <a href="${home}#journal">Journal</a></nav></header>
<main id="main" tabindex="-1">
${main}
</main>
<footer><p>Made by Recollect from what was said in sessions with coding agents: evidence of what held then.</p></footer>
${script === '' ? '' : `<script>${script}</script>\n`}</body>
</html>
`
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
