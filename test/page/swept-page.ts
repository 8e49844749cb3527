// A swept home and the page over it, called without a port.
import { createApp } from '../../src/app.ts'
import { fixedClock } from '../../src/core/clock.ts'
import type { Ledger } from '../../src/store/ledger.ts'
import { sweep } from '../../src/sweep.ts'
import { place } from '../program.ts'
import { testPage } from './client.ts'

export interface SweptPage {
  get(path: string): Promise<{ status: number; text: string; headers: Headers }>
  look<T>(see: (ledger: Ledger) => T): T
  remove(): void
}

export async function sweptPage(files: Record<string, string | object[]>, now: string): Promise<SweptPage> {
  const at = place(files)
  const machine = {
    home: at.home,
    env: { RECOLLECT_HOME: at.store, PATH: '' },
    platform: 'linux' as const,
    name: 'box',
  }
  const app = createApp({ machine, clock: fixedClock(now) })
  await sweep(app)
  const page = testPage(app)
  return {
    async get(path) {
      const response = await page.get(path)
      const text = await response.text()
      if (page.errors.length > 0) throw page.errors[0]
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
