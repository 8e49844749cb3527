// Says when something new was captured, by server-sent events. What is being read is not changed: a
// line marks where new events begin, and a click loads them.

interface LiveChange {
  text: string
  url: string
  sessions: string[]
}

export function watchLive(load: (url: string, target: Element) => void): void {
  const place = document.querySelector<HTMLElement>('#live')
  if (!place) return
  const source = new EventSource('/live')
  source.addEventListener('change', (event) => {
    const change = JSON.parse(event.data) as LiveChange
    const link = document.createElement('a')
    link.href = change.url
    link.textContent = change.text
    place.replaceChildren(link)
    markUnread(change, load)
  })
  addEventListener('pagehide', () => source.close())
}

function markUnread({ sessions }: LiveChange, load: (url: string, target: Element) => void): void {
  const events = document.querySelector<HTMLElement>('#events[data-session]')
  const list = document.querySelector('#list')
  if (events && sessions.includes(events.dataset.session ?? '')) {
    // The rest of the session is not loaded yet, so nothing is missed.
    if (events.querySelector('[data-more], .unread')) return
    const last = [...events.querySelectorAll<HTMLElement>('.event')].at(-1)
    const next = last ? Number(last.id.slice(1)) + 1 : 0
    const view = new URLSearchParams(location.search).get('view') === 'all' ? '&view=all' : ''
    const url = `/sessions/${encodeURIComponent(events.dataset.session ?? '')}/part?from=${next}${view}`
    events.append(unreadLine('New events', (line) => load(url, line)))
  } else if (list && location.pathname === '/sessions' && !list.querySelector('.unread'))
    list.prepend(unreadLine('New sessions', () => location.reload()))
}

function unreadLine(label: string, onClick: (line: HTMLElement) => void): HTMLElement {
  const line = document.createElement('p')
  const button = document.createElement('button')
  line.className = 'unread'
  button.type = 'button'
  button.textContent = label
  button.addEventListener('click', () => onClick(line))
  line.append(button)
  return line
}
