import { delimiter } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { compiledChecksInTests } from './packages/build/compiled-checks.mjs'

/** Milliseconds: half an hour, as a machine may have much else to do; an hour at full size, for a thousand rounds of processes. */
const timeout = env['SWITCHYARD_SIZE'] === 'full' ? 3_600_000 : 1_800_000

/** Where `npm test` puts the programs that tests run and that this machine lacks. */
const programs = fileURLToPath(new URL('node_modules/.cache/programs/bin', import.meta.url))

// Each process of Node reads all certificates that it names, and no test speaks to a server that they vouch for.
delete env['NODE_EXTRA_CA_CERTS']

/** Shared by every package: real processes and real disks are slow when the machine is busy, so no test is timed tightly. */
export default defineConfig({
  plugins: [compiledChecksInTests],
  test: {
    include: ['test/**/*.test.ts', '*.test.ts'],
    testTimeout: timeout,
    hookTimeout: timeout,
    maxWorkers: 3,
    isolate: false,
    setupFiles: [fileURLToPath(new URL('packages/testkit/src/remove-folders.ts', import.meta.url))],
    env: { PATH: [env['PATH'], programs].join(delimiter) },
  },
})
