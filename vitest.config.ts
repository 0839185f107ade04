import { basename, delimiter } from 'node:path'
import { cwd, env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { compiledChecksInTests } from './packages/build/compiled-checks.mjs'

/** Milliseconds: ten minutes, as a machine may have much else to do; an hour at full size, for a thousand rounds of processes. */
const timeout = env['SWITCHYARD_SIZE'] === 'full' ? 3_600_000 : 600_000
/** Milliseconds after which a test that the runner cannot end, as it waits in one call, loses the processes that it waits for. */
const hang = timeout + 30_000

/** Where `npm test` puts the programs that tests run and that this machine lacks. */
const programs = fileURLToPath(new URL('node_modules/.cache/programs/bin', import.meta.url))

/** Suites whose tests wait for disks, clocks and processes half of their time. */
const waiting = ['loop', 'scope', 'tests']

/** Files of few lines that do much: what a guide shows, what a shell completes, a storm of writers. */
const long =
  /\/(guide|docs|completion|demo|demo-given|pipelines|storm|faults|fuzz|survivors|eight-workers|idle|ci-run)\.test\.ts$/

/** Vitest begins with the largest files, where it does not know how long each takes; these would be left for the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

// Each process of Node reads all certificates that it names, and no test speaks to a server that they vouch for.
delete env['NODE_EXTRA_CA_CERTS']

/** Shared by every package: real processes and real disks are slow when the machine is busy, so no test is timed tightly. */
export default defineConfig({
  plugins: [compiledChecksInTests],
  test: {
    include: ['test/**/*.test.ts', '*.test.ts'],
    testTimeout: timeout,
    hookTimeout: timeout,
    maxWorkers: waiting.includes(basename(cwd())) ? 4 : 3,
    sequence: { sequencer: LongFirst },
    isolate: false,
    setupFiles: ['remove-folders', 'end-hung-tests'].map((name) =>
      fileURLToPath(new URL(`packages/testkit/src/${name}.ts`, import.meta.url)),
    ),
    env: {
      SWITCHYARD_HANG_MS: env['SWITCHYARD_HANG_MS'] ?? String(hang),
      PATH: [env['PATH'], programs].join(delimiter),
    },
  },
})
