// Jumps of the reader: to the next prompt, error or edit. What is not loaded yet is found by the
// server.

export function watchReader(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-jump]')
    if (!link) return
    event.preventDefault()
    jumpTo(link, link.dataset.jump ?? '')
  })
}

function jumpTo(link: HTMLAnchorElement, kind: string): void {
  const from = currentEvent()
  const next = [...document.querySelectorAll<HTMLElement>(`.event[data-kind~="${CSS.escape(kind)}"]`)].find(
    (event) => seqOf(event) > from,
  )
  if (next) return show(next)
  const url = new URL(link.href)
  url.searchParams.set('after', String(Math.max(from, lastLoaded(kind))))
  const view = new URLSearchParams(location.search).get('view')
  if (view) url.searchParams.set('view', view)
  location.assign(url)
}

/** In the focused view errors and edits are not loaded, so the server looks behind the current event. */
function lastLoaded(kind: string): number {
  const isFocused = new URLSearchParams(location.search).get('view') !== 'all'
  if (isFocused && kind !== 'prompt') return -1
  return Math.max(-1, ...[...document.querySelectorAll<HTMLElement>('.event')].map(seqOf))
}

function show(event: HTMLElement): void {
  for (const other of document.querySelectorAll('.event.is-current')) other.classList.remove('is-current')
  event.classList.add('is-current')
  event.scrollIntoView({ block: 'start' })
  history.replaceState(null, '', `#${event.id}`)
}

function currentEvent(): number {
  const marked =
    document.querySelector<HTMLElement>('.event.is-current') ?? document.querySelector<HTMLElement>('.event:target')
  return marked ? seqOf(marked) : -1
}

function seqOf(event: HTMLElement): number {
  return Number(event.id.slice(1))
}
