// The script of continuous integration, in a project whose `npm test` is scripted: how it counts, fails and ends.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv, script, tempFolder } from '@switchyard/testkit'
import { expect, it } from 'vitest'

const program = fileURLToPath(new URL('../.ci/run', import.meta.url))

/** Its exit code, and the last line that it prints. */
function ciOf(test: string, env: Record<string, string> = {}) {
  const folder = tempFolder('ci')
  mkdirSync(join(folder, '.ci'))
  copyFileSync(program, join(folder, '.ci', 'run'))
  writeFileSync(join(folder, 'test.sh'), test)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { test: 'bash test.sh' } }))
  const { status, stdout } = spawnSync('bash', [join(folder, '.ci', 'run')], { env: cleanEnv(env), encoding: 'utf8' })
  return { code: status, last: stdout.trimEnd().split('\n').at(-1), stdout }
}

const counted = 'echo "a:test:       Tests  5 passed (5)"\n'

it.each([
  ['passes', counted, 0, '5 passed, 0 failed, 0 skipped'],
  ['fails with the tests', `${counted}exit 3`, 3, '5 passed, 1 failed, 0 skipped'],
  [
    'fails where a test is skipped',
    'echo "a:test:  Tests  2 passed | 1 skipped (3)"',
    1,
    '2 passed, 1 failed, 1 skipped',
  ],
  ['fails where nothing was tested', '', 1, '0 passed, 1 failed, 0 skipped'],
  ['does not wait for a process that holds the output', `${counted}sleep 60 &`, 0, '5 passed, 0 failed, 0 skipped'],
])('%s', (_, test, code, last) => {
  expect(ciOf(test)).toMatchObject({ code, last })
})

it('ends tests that print nothing for long, and tells which processes ran', () => {
  // How long npm takes to start is silence, too, and on a busy machine a long one: this npm starts at once.
  const bin = tempFolder('bin')
  script(join(bin, 'npm'), '#!/bin/sh\nexec bash test.sh\n')
  const env = { SWITCHYARD_QUIET_SECONDS: '4', PATH: [bin, process.env['PATH']].join(delimiter) }
  const { code, last, stdout } = ciOf(`${counted}sleep 1234`, env)
  expect([code, last]).toEqual([1, '5 passed, 1 failed, 0 skipped'])
  expect(stdout).toMatch(/no line for 4 seconds; these run, and are ended:\n(.*\n)*.* sleep 1234\n/)
})

it('tells last what failed, also where the suites said more behind it', () => {
  const said = ['//:check: tests/x.mjs is not formatted', '@switchyard/a:test: expected 1, got 2', 'b:test: ✓ good']
  const ended = ['//#check:  ERROR  command exited (1)', '@switchyard/a#test:  ERROR  command exited (1)']
  const { code, stdout } = ciOf(`${counted}printf '%s\\n' '${[...said, ...ended].join("' '")}'\nexit 1\n`)
  expect(code).toBe(1)
  expect(stdout.trimEnd().split('\n').slice(-3)).toEqual([said[0], said[1], '5 passed, 1 failed, 0 skipped'])
})
