/** Buttons with `data-copy` copy that text. */
export function watchCopyButtons(): void {
  document.addEventListener('click', async (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy]')
    if (!button) return
    const label = button.textContent
    try {
      await navigator.clipboard.writeText(button.dataset.copy ?? '')
      button.textContent = 'Copied'
    } catch {
      // Clipboards need a secure context; the text can be selected instead.
      button.textContent = button.dataset.copy ?? ''
    }
    setTimeout(() => {
      button.textContent = label
    }, 1500)
  })
}
