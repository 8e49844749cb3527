// The script of the page: htmx for parts that are replaced, and small modules. Without it, every
// link and form works as well.
import htmx from 'htmx.org'
import { watchCopyButtons } from './copy.ts'
import { watchKeys } from './keys.ts'
import { watchLive } from './live.ts'
import { watchReader } from './reader.ts'

const token = document.querySelector<HTMLMetaElement>('meta[name="form-token"]')?.content ?? ''
document.addEventListener('htmx:configRequest', (event) => {
  const { detail } = event as CustomEvent<{ headers: Record<string, string> }>
  detail.headers['x-recollect-token'] = token
})
// A refused or failed request is shown where its result would be.
document.addEventListener('htmx:beforeSwap', (event) => {
  const { detail } = event as CustomEvent<{ xhr: XMLHttpRequest; shouldSwap: boolean; isError: boolean }>
  if (detail.xhr.status >= 400) {
    detail.shouldSwap = true
    detail.isError = false
  }
})
watchKeys()
watchCopyButtons()
watchReader()
watchLive((url, target) => htmx.ajax('get', url, { target, swap: 'outerHTML' }))
