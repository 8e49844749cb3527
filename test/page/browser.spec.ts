// The page in a real browser: every view at two widths and in both themes, and the journeys that people make.
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exited, type Place, recollect, sessionName, start } from '../program.ts'
import { chromiumPath, launch, openPage, type WatchedPage } from './browser.ts'
import { pageHome } from './home.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const session = `/sessions/${encodeURIComponent(`claude-code:${sessionName(1)}`)}`
const views = [
  '/',
  '/sessions',
  session,
  `${session}?view=all`,
  '/search?q=queue',
  '/memories',
  '/inbox',
  '/journal',
  '/journal/2026-09-01',
  '/wiki',
  '/patterns',
  '/cost',
  '/files',
  '/health',
]

describe.runIf(chromiumPath)('the page in a browser', () => {
  let at: Place
  let server: ChildProcess
  let link: string
  let browser: Browser
  beforeAll(async () => {
    at = pageHome()
    server = start(at, 'serve', '--port', '0', '--no-open')
    link = await firstLine(server)
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    server?.kill('SIGINT')
    expect(await exited(server)).toBe(0)
    at.remove()
  })

  const open = (options = {}) => openPage(browser, link, options)
  const at1440 = async (use: (opened: WatchedPage) => Promise<void>) => {
    const opened = await open()
    await use(opened)
    expect(opened.faults).toEqual([])
    await opened.close()
  }

  describe.each([
    { width: 1440, colorScheme: 'light' as const },
    { width: 390, colorScheme: 'dark' as const },
  ])('at $width pixels, $colorScheme', ({ width, colorScheme }) => {
    let opened: WatchedPage
    beforeAll(async () => {
      opened = await open({ viewport: { width, height: 844 }, colorScheme })
    })
    afterAll(() => opened.close())

    it.each(views)('%s fits, has no error and nothing serious for axe', async (path) => {
      const { page, faults } = opened
      faults.length = 0
      const response = await page.goto(new URL(path, link).href)
      expect(response?.status()).toBe(200)
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(overflow).toBeLessThanOrEqual(0)
      // The policy of the page forbids other scripts, so axe is evaluated by the driver.
      await page.evaluate(axe)
      const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as AxeResult
      const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)).toEqual([])
      expect(faults).toEqual([])
    })
  })

  it('finds a session, reads it and jumps to an error', () =>
    at1440(async ({ page }) => {
      await page.keyboard.press('g')
      await page.keyboard.press('s')
      await page.waitForURL('**/sessions')
      await page.keyboard.press('/')
      await page.keyboard.type('uploads')
      await page.waitForURL('**/sessions?text=uploads**')
      await page.locator('#list a.title').first().click()
      await page.waitForSelector('.event.prompt')
      await page.waitForLoadState()
      await page.keyboard.press('e')
      await page.waitForURL(/view=all#e\d+$/)
      expect(await page.locator('.event:target').textContent()).toContain('tests failed')
      await page.keyboard.press('n')
      expect(await page.locator('.event.is-current').textContent()).toContain('always write the queue')
    }))

  it('decides about twenty items by keyboard, and takes the last ones back', () =>
    at1440(async ({ page }) => {
      await page.goto(new URL('/inbox', link).href)
      const before = recollect(at, 'memories', '--candidates', '--json').json().length
      const current = () => page.locator('input[name="id"]').inputValue()
      const press = async (key: string) => {
        const id = await current()
        await page.keyboard.press(key)
        await page.waitForSelector(`input[name="id"]:not([value="${id}"])`, { state: 'attached' })
      }
      const keys = ['a', 'r', 'l', 'a', 'r', 'a', 'r', 'l', 'a', 'r', 'a', 'r', 'a', 'r', 'a', 'r', 'a', 'r', 'a']
      for (const key of keys) await press(key)
      const id = await current()
      await page.keyboard.press('e')
      await page.locator('textarea[name="text"]').fill('Edited by keyboard in the inbox')
      await page.keyboard.press('Control+Enter')
      await page.waitForSelector('text=20 decided')
      const kept = recollect(at, 'memories', '--json').json() as { text: string }[]
      expect(kept.map(({ text }) => text)).toContain('Edited by keyboard in the inbox')
      await page.keyboard.press('u')
      await page.waitForSelector(`input[name="id"][value="${id}"]`, { state: 'attached' })
      for (let left = 18; left >= 0; left--) {
        await page.keyboard.press('u')
        await page.waitForSelector(left === 0 ? '#inbox:not(:has(.head .chip))' : `text=${left} decided`)
      }
      expect(recollect(at, 'memories', '--candidates', '--json').json()).toHaveLength(before)
    }))

  it('edits, moves and undoes a memory', () =>
    at1440(async ({ page }) => {
      await page.goto(new URL('/memories?text=approvals', link).href)
      await page.locator('#list a.title').first().click()
      await page.waitForSelector('.statement')
      await page.waitForLoadState()
      await page.keyboard.press('e')
      await page.locator('textarea[name="text"]').fill('Deploys need three approvals')
      await page.locator('form.stack button.primary').click()
      await page.waitForSelector('text=Done.')
      expect(await page.locator('.statement').textContent()).toBe('Deploys need three approvals')
      await page.keyboard.press('u')
      await page.waitForSelector('.statement:has-text("two approvals")')
      await page.keyboard.press('m')
      await page.locator('form[action$="/move"] select').selectOption('everywhere')
      await page.locator('form[action$="/move"] button').click()
      await page.waitForSelector('.meta:has-text("everywhere")')
    }))

  it('approves a pattern, sees what would be published, and takes it back', () =>
    at1440(async ({ page }) => {
      await page.goto(new URL('/patterns', link).href)
      await page.locator('main a.title').first().click()
      await page.waitForSelector('textarea[name="rule"], textarea')
      await page.waitForLoadState()
      await page.keyboard.press('a')
      await page.waitForSelector('text=/approved/i')
      await page.keyboard.press('u')
      await page.waitForSelector('button[data-key="a"]')
    }))

  it('follows a wikilink from an article to a day', () =>
    at1440(async ({ page }) => {
      await page.goto(new URL('/wiki', link).href)
      await page.locator('main a[href^="/wiki/"]:not([href*="lint"])').first().click()
      await page.locator('main a[href^="/journal/"]').first().click()
      await page.waitForURL('**/journal/2026-**')
      await page.keyboard.press('g')
      await page.keyboard.press('j')
      await page.waitForURL('**/journal')
    }))

  it('searches in Chinese as you type', () =>
    at1440(async ({ page }) => {
      await page.goto(new URL('/search', link).href)
      await page.locator('input[name="q"]').fill('登录超时')
      await page.waitForSelector('mark:has-text("登录超时")')
      expect(page.url()).toContain('q=')
    }))

  it('shows a hostile session as text', () =>
    at1440(async ({ page }) => {
      const id = encodeURIComponent(`claude-code:${sessionName(4)}`)
      await page.goto(new URL(`/sessions/${id}?view=all`, link).href)
      expect(await page.locator('.event.prompt').textContent()).toContain('<script>alert(1)</script>')
      expect(await page.locator('main iframe, main img, main script').count()).toBe(0)
    }))

  it('works without JavaScript', async () => {
    const opened = await open({ javaScriptEnabled: false })
    const { page } = opened
    await page.goto(new URL('/sessions', link).href)
    await page.locator('input[name="text"]').fill('run_manifest')
    await page.locator('form.filters button').first().click()
    await page.locator('#list a.title').first().click()
    await page.locator('a[data-jump="prompt"]').click()
    expect(page.url()).toMatch(/#e\d+$/)
    await opened.close()
  })
})

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string }[] }[]
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const piece of child.stdout!) {
    text += piece
    if (text.includes('\n')) break
  }
  return text.split('\n')[0]!
}
