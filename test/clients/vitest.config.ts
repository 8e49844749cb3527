// For `npm run test:clients` alone: files named .spec.ts are not what `npm test` looks for. One after the other, because
// figures are printed.
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..', '..'),
    include: ['test/clients/*.spec.ts'],
    globalSetup: './test/global-setup.ts',
    setupFiles: './test/clients/setup.ts',
    provide: { isProof: false },
    reporters: ['default', './test/closing-line.ts'],
    disableConsoleIntercept: true,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
