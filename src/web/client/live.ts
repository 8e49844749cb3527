// Says when something new was captured, by server-sent events. The page itself is not changed under
// the eyes of the reader.

export function watchLive(): void {
  const place = document.querySelector<HTMLElement>('#live')
  if (!place) return
  const source = new EventSource('/live')
  source.addEventListener('change', (event) => {
    const { text, url } = JSON.parse(event.data) as { text: string; url: string }
    const link = document.createElement('a')
    link.href = url
    link.textContent = text
    place.replaceChildren(link)
  })
  addEventListener('pagehide', () => source.close())
}
