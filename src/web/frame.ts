import { type Html, html } from '../html/html.ts'
import { unreadNotice } from '../store/unread.ts'
import { assetUrl } from './assets.ts'
import { type PageRequest, type PageResult, type Section, sections } from './request.ts'

/** As the system has it, unless chosen. */
export type Theme = 'light' | 'dark' | undefined

type Page = Extract<PageResult, { kind: 'page' }>

const labels: Readonly<Record<Section, string>> = {
  overview: 'Overview',
  sessions: 'Sessions',
  search: 'Search',
  memories: 'Memories',
  inbox: 'Inbox',
  journal: 'Journal',
  wiki: 'Wiki',
  patterns: 'Patterns',
  cost: 'Cost',
  files: 'Files',
  health: 'Health',
}

/** Pressed after `g`, as in other programs. */
const goKeys: Readonly<Record<Section, string>> = {
  overview: 'o',
  sessions: 's',
  search: 'f',
  memories: 'm',
  inbox: 'i',
  journal: 'j',
  wiki: 'w',
  patterns: 'p',
  cost: 'c',
  files: 'l',
  health: 'h',
}

export function urlOfSection(section: Section): string {
  return section === 'overview' ? '/' : `/${section}`
}

export function renderFrame({ title, section, main }: Page, request: PageRequest, theme: Theme): Html {
  return html`<!doctype html>
<html lang="en"${theme !== undefined && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme ?? 'light dark'}">
<meta name="htmx-config" content='{"includeIndicatorStyles":false,"allowEval":false,"historyCacheSize":0,"selfRequestsOnly":true}'>
<meta name="form-token" content="${request.formToken}">
<title>${title} · Recollect</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetUrl('style')}">
<script src="${assetUrl('script')}" defer></script>
</head>
<body class="page">
<a class="skip" href="#main">Skip to content</a>
<header class="side">
<a class="brand" href="/">Recollect</a>
<nav aria-label="Views">${sections.map((each) => navLink(each, section))}</nav>
<div class="side-foot">
<p id="live" class="live" role="status" aria-live="polite"></p>
${themeForm(request, theme)}
<button type="button" class="ghost" data-help data-key="?">Keys</button>
</div>
</header>
<main id="main" tabindex="-1">
${unreadBanner(request)}${main}
</main>
<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl></dl><form method="dialog"><button>Close</button></form></dialog>
</body>
</html>
`
}

/** While a large sweep runs, or after it was stopped. */
function unreadBanner({ ledger }: PageRequest): Html | false {
  const notice = unreadNotice(ledger)
  return notice !== undefined && html`<p class="notice" role="status">${notice}</p>\n`
}

function navLink(section: Section, current: Section): Html {
  const isCurrent = section === current
  return html`<a href="${urlOfSection(section)}"${isCurrent && html` aria-current="page"`} data-go="${goKeys[section]}">${labels[section]}</a>\n`
}

function themeForm({ path, query, formToken }: PageRequest, theme: Theme): Html {
  const back = query.size === 0 ? path : `${path}?${query}`
  const next = theme === 'dark' ? 'light' : theme === 'light' ? 'system' : 'dark'
  return html`<form method="post" action="/theme"><input type="hidden" name="_token" value="${formToken}"><input type="hidden" name="back" value="${back}"><input type="hidden" name="theme" value="${next}"><button class="ghost" title="Now: ${theme ?? 'as the system'}">Theme: ${theme ?? 'system'}</button></form>`
}

/** For refusals: without script, style and navigation. */
export function plainPage(message: string): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Recollect</title></head><body><h1>Recollect</h1><p>${message}</p></body></html>
`
}
