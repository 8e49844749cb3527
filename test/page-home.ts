// A swept home and the page over it, called without a port.
import { createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { sweep } from '../src/sweep.ts'
import { accessCookie, createAccess } from '../src/web/access.ts'
import { createPageApp } from '../src/web/page-app.ts'
import { place } from './program.ts'

export interface PageHome {
  get(path: string): Promise<{ status: number; text: string; headers: Headers }>
  look<T>(see: (ledger: Ledger) => T): T
  remove(): void
}

export async function pageHome(files: Record<string, string | object[]>, now: string): Promise<PageHome> {
  const at = place(files)
  const machine = {
    home: at.home,
    env: { RECOLLECT_HOME: at.store, PATH: '' },
    platform: 'linux' as const,
    name: 'box',
  }
  const app = createApp({ machine, clock: fixedClock(now) })
  await sweep(app)
  const access = createAccess({ host: '127.0.0.1', port: 7718 })
  const errors: unknown[] = []
  const program = { root: at.store, platform: machine.platform, node: process.execPath, cli: 'cli.js' }
  const page = createPageApp({ app, access, program, log: (error) => errors.push(error) })
  const cookie = accessCookie(access).split(';')[0]!
  return {
    async get(path) {
      const url = new URL(path, 'http://127.0.0.1:7718')
      const response = await page.fetch(new Request(url, { headers: { host: url.host, cookie } }))
      const text = await response.text()
      if (errors.length > 0) throw errors[0]
      return { status: response.status, text, headers: response.headers }
    },
    look(see) {
      const ledger = app.ledger()
      try {
        return see(ledger)
      } finally {
        ledger.close()
      }
    },
    remove() {
      page.close()
      at.remove()
    },
  }
}
