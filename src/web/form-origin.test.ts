import { expect, it } from 'vitest'
import { securityHeaders } from './access.ts'

// Seen in Chromium: a form of a page with no-referrer is sent with "Origin: null", which is refused.
it('lets forms of the page say where they come from', () => {
  expect(securityHeaders['referrer-policy']).toBe('same-origin')
})
