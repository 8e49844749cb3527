import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests beside the sources that start processes, use a database or change the environment. */
const integrationInSrc = [
  'src/app.test.ts',
  'src/**/{migrate,connect,database}.test.ts',
  'src/**/{git,commits,blame-path,diff,quote,formats,run-fork,read-only-shell}.test.ts',
  'src/cli/**/*.test.ts',
  'src/mcp/**/*.test.ts',
]

/** Tests that do more of the same in `npm run test:proof` (test/proof.ts), or run there on the other database (test/server/databases.ts). */
const proof = [
  'test/{crash,fuzz,growth,large-database}.test.ts',
  'test/{server,sync}/*.test.ts',
  'test/vectors/kill.test.ts',
]

const shared = {
  // A limit against hanging, not a measure: a busy machine may take long.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  maxWorkers: availableParallelism(),
}

export default defineConfig({
  test: {
    reporters: ['default', './test/closing-line.ts'],
    globalSetup: './test/global-setup.ts',
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/*.test.ts'],
          exclude: integrationInSrc,
          provide: { isProof: false },
          pool: 'threads',
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          include: ['test/**/*.test.ts', ...integrationInSrc],
          provide: { isProof: false },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'proof',
          include: proof,
          provide: { isProof: true },
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
