import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests beside the sources that start processes, use a database or change the environment. */
const integrationInSrc = [
  'src/app.test.ts',
  'src/server/database/*.test.ts',
  'src/**/{git,commits,blame-path,diff,quote,formats,run-fork,read-only-shell}.test.ts',
  'src/cli/**/*.test.ts',
  'src/mcp/**/*.test.ts',
]

/**
 * Tests that do more of the same in `npm run test:proof` (`scaled` and `sample` in test/proof.ts), and those that run on the other database
 * or through a pooler there (test/server/databases.ts).
 */
const proof = [
  'test/{blame,captured,corpus,corpus-kiro-vibe-hermes,crash,doctor-hooks,fuzz,growth,hook,hostile,install,install-mcp,journal,mcp,memory-files,per-prompt,publish}.test.ts',
  'test/{damage,dead-letters,kept-lines-secrets,locked-database,payloads,read-threads,recovery,redaction,restore,retention-limits,share,sweep,sync-sessions,wiki,work,wrong-shapes}.test.ts',
  'test/server/{abuse,admin,authorisation,http,links,mcp,people,pull,push,push-queue,recall,shares,shutdown,vectors}.test.ts',
  'test/sync/*.test.ts',
  'test/gate/gate.test.ts',
  'test/handoff/handoff.test.ts',
  'test/handoff/round-trip.test.ts',
  'src/**/read-only-shell.test.ts',
  'src/brief/brief.test.ts',
  'src/server/database/{connect,database,migrate}.test.ts',
]

/** Of these even a sample takes long, so that they run with the others of their kind only. */
const onlyInProof = [
  'test/{corpus,damage,dead-letters,growth,install-mcp,kept-lines-secrets,locked-database,restore,retention-limits}.test.ts',
  'test/sync/{consent,mcp-sync,sweep}.test.ts',
]

const shared = {
  // Limits for tests that hang; a busy machine may take long.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  maxWorkers: availableParallelism(),
  setupFiles: './test/setup.ts',
}

export default defineConfig({
  test: {
    reporters: ['default', './test/closing-line.ts'],
    globalSetup: './test/global-setup.ts',
    // Shown by `npm run coverage`, not enforced. The built program is not counted: most of what it runs has a test in this process.
    coverage: {
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts'],
      reporter: [['text-summary', { file: 'summary.txt' }], ['text-summary'], ['html']],
    },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
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
          exclude: onlyInProof,
          // Two more than cores: many tests mostly wait, for a timeout or for a process.
          maxWorkers: availableParallelism() + 2,
          provide: { isProof: false },
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'page',
          include: ['test/page/**/*.spec.ts'],
          provide: { isProof: false },
          maxWorkers: 1,
          isolate: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...shared,
          name: 'proof',
          include: proof,
          provide: { isProof: true },
          isolate: false,
          testTimeout: 600_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
