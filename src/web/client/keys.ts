// Keys are declared in the markup: `data-key` clicks or focuses its element, `data-go` is pressed
// after g, and rows with `data-row` are visited with j and k.

export function watchKeys(): void {
  let isGoing = false
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return submitText(event.target)
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape' && isTyping(event.target)) return (event.target as HTMLElement).blur()
    if (isTyping(event.target)) return
    const wasGoing = isGoing
    isGoing = !wasGoing && event.key === 'g'
    const target = wasGoing ? goTarget(event.key) : keyTarget(event.key)
    if (target) {
      event.preventDefault()
      activate(target)
    } else if (event.key === 'j' || event.key === 'k') moveRow(event.key === 'j' ? 1 : -1)
  })
  document.addEventListener('click', (event) => {
    if ((event.target as Element).closest('[data-help]')) showHelp()
  })
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}

/** `data-submit` on a text names the button that Ctrl-Enter presses. */
function submitText(target: EventTarget | null): void {
  if (!(target instanceof HTMLTextAreaElement) || !target.form) return
  const value = CSS.escape(target.dataset.submit ?? '')
  target.form.querySelector<HTMLButtonElement>(`button[value="${value}"]`)?.click()
}

function goTarget(key: string): HTMLElement | undefined {
  return visible(`[data-go="${CSS.escape(key)}"]`)
}

function keyTarget(key: string): HTMLElement | undefined {
  const current = document.querySelector('[data-row].is-current') ?? document
  return visible(`[data-key="${CSS.escape(key)}"]`, current) ?? visible(`[data-key="${CSS.escape(key)}"]`)
}

function visible(selector: string, within: ParentNode = document): HTMLElement | undefined {
  const isShown = (element: HTMLElement) => element.getClientRects().length > 0
  return [...within.querySelectorAll<HTMLElement>(selector)].find(isShown)
}

function activate(target: HTMLElement): void {
  if (isTyping(target)) {
    target.focus()
    if (target instanceof HTMLInputElement) target.select()
  } else target.click()
}

function moveRow(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.findIndex((row) => row.classList.contains('is-current'))
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))]
  if (!next) return
  rows[at]?.classList.remove('is-current')
  next.classList.add('is-current')
  next.scrollIntoView({ block: 'nearest' })
  next.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
}

function showHelp(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#keys')
  const list = dialog?.querySelector('dl')
  if (!dialog || !list || dialog.open) return
  const rows: [string, string][] = [
    ...[...document.querySelectorAll<HTMLElement>('[data-go]')].map((element): [string, string] => [
      `g ${element.dataset.go}`,
      labelOf(element),
    ]),
    ['j, k', 'Next, previous row'],
    ...[...document.querySelectorAll<HTMLElement>('[data-key]')]
      .filter((element) => element.getClientRects().length > 0)
      .map((element): [string, string] => [element.dataset.key ?? '', labelOf(element)]),
  ]
  list.replaceChildren(
    ...[...new Map(rows.map((row) => [row.join(' '), row])).values()].flatMap(([key, label]) => {
      const [term, text] = [document.createElement('dt'), document.createElement('dd')]
      const code = document.createElement('kbd')
      code.textContent = key
      term.append(code)
      text.textContent = label
      return [term, text]
    }),
  )
  dialog.showModal()
}

function labelOf(element: HTMLElement): string {
  if (element.ariaLabel) return element.ariaLabel
  if (element instanceof HTMLInputElement) return element.labels?.[0]?.textContent?.trim() ?? element.name
  const copy = element.cloneNode(true) as HTMLElement
  for (const key of copy.querySelectorAll('kbd')) key.remove()
  return copy.textContent?.trim() ?? ''
}
