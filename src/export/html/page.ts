// The frame of every page of the exported site. Each page stands alone: it loads no other file, and
// its content security policy forbids it.
import { createHash } from 'node:crypto'
import { type Html, html, trustedHtml } from '../../html/html.ts'
import { relativeUrl } from '../markdown.ts'
import { style } from './assets.ts'

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
  const scripts = script === undefined ? "'none'" : `'${hashOf(script)}'`
  // The policy contains no foreign text, and its quotes are needed as they are.
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src ${scripts}; base-uri 'none'; form-action 'none'`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trustedHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Recollect">
<title>${title}</title>
<style>${trustedHtml(style)}</style>
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header><nav aria-label="Site"><a class="home" href="${home}">Wiki</a> <a href="${home}#memories">Memories</a> <a href="${home}#journal">Journal</a></nav></header>
<main id="main" tabindex="-1">
${main}
</main>
<footer><p>Made by Recollect from what was said in sessions with coding agents: evidence of what held then.</p></footer>
${script !== undefined && html`<script>${trustedHtml(script)}</script>\n`}</body>
</html>
`.toString()
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
