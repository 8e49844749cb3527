// A real browser on the page: Debian's Chromium (apt-get install chromium), or the one in RECOLLECT_TEST_CHROMIUM.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

export const chromiumPath = [
  process.env.RECOLLECT_TEST_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
].find((path) => path !== undefined && existsSync(path))

if (chromiumPath === undefined)
  console.error('Skipped: no Chromium. Install it (apt-get install chromium) or set RECOLLECT_TEST_CHROMIUM.')

export function launch(): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic']
  return chromium.launch({
    executablePath: chromiumPath!,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet],
  })
}

export interface WatchedPage {
  page: Page
  /** Errors on the console, exceptions, and requests that left the machine. */
  faults: string[]
  close(): Promise<void>
}

export async function openPage(
  browser: Browser,
  link: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`))
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol !== 'data:' && hostname !== '127.0.0.1') faults.push(`request: ${request.url()}`)
  })
  await page.goto(link)
  return { page, faults, close: () => context.close() }
}
