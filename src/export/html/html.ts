// HTML of the exported site: a template tag that escapes by default, and the frame of every page.
// Each page stands alone: it loads no other file, and its content security policy forbids it.
import { createHash } from 'node:crypto'
import { html as honoHtml, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { relativeUrl } from '../markdown.ts'
import { style } from './assets.ts'

export type Html = HtmlEscapedString

type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

/** Escapes strings; leaves out undefined, null and false. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  // Only promises among the values make the result a promise, and the type excludes them.
  return honoHtml(strings, ...values.map(visible)) as Html
}

export function joinHtml(parts: readonly HtmlValue[], separator: string): Html {
  const present = parts.filter((part) => part !== undefined && part !== false && part !== null && part !== '')
  return html`${present.map((part, at) => (at === 0 ? part : [separator, part]))}`
}

/** HTML from a trusted renderer. */
export function trustedHtml(text: string): Html {
  return raw(text)
}

/** Escapes text for HTML, between tags or in an attribute. */
export function escapeHtml(text: string): string {
  return html`${text}`.toString()
}

function visible(value: HtmlValue): HtmlValue {
  if (typeof value === 'string') return stripInvisible(value)
  return Array.isArray(value) ? value.map(visible) : value
}

/**
 * Removes control characters, and those that reverse the direction of text: they could disguise an
 * attribution.
 */
export function stripInvisible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
}

/** Foreign text as it is; parts in backticks become code. */
export function renderProse(text: string): Html {
  const parts = text.split(/(`[^`\n]+`)/)
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part.slice(1, -1)}</code>` : part))}`
}

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
