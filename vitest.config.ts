import { defineConfig } from 'vitest/config'

/** Shared by every package: real processes and real disks are slow when the machine is busy, so no test is timed tightly. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', '*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
  },
})
