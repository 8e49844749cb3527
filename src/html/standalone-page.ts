// A page that stands alone: it loads no other file, and its content security policy forbids it.
import { createHash } from 'node:crypto'
import { type Html, html, trustedHtml } from './html.ts'
import { stylesheet } from './stylesheet.ts'

export interface StandalonePage {
  title: string
  main: Html
  header?: Html | undefined
  footer?: Html | undefined
  script?: string | undefined
}

export function renderStandalone({ title, main, header, footer, script }: StandalonePage): string {
  const scripts = script === undefined ? "'none'" : `'${hashOf(script)}'`
  const style = stylesheet()
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
<body class="site">
<a class="skip" href="#main">Skip to content</a>
${header !== undefined && html`<header>${header}</header>`}
<main id="main" tabindex="-1">
${main}
</main>
${footer !== undefined && html`<footer>${footer}</footer>`}
${script !== undefined && html`<script>${trustedHtml(script)}</script>\n`}</body>
</html>
`.toString()
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
