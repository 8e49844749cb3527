// Fails every test in which a client asked for what the real service refuses.
import { afterAll, afterEach, expect } from 'vitest'
import { takeSeen } from './api.ts'

function expectValidRequests(): void {
  expect(takeSeen().violations, 'requests that the real service refuses').toEqual([])
}

afterEach(expectValidRequests)
afterAll(expectValidRequests)
