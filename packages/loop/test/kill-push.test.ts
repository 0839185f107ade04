import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanEnv, git, scaled, script, stopped, tempFolder, tempRepo, toolPath } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { landedIds, leftovers, ok, type Place, placeAt, read, show } from './place.ts'

type Step = { program: 'git' | 'tissue'; words: string; when: 'before' | 'after'; strategy: 'rebase' | 'squash' }

/**
 * Every command of a landing that pushes, in its order. `before`: it has not begun when the loop is killed; `after`: it
 * has ended, and the loop never heard how.
 */
const commands = [
  ['git', ' ls-remote '],
  ['git', ' fetch '],
  ['git', ' rebase --quiet'],
  ['git', ' commit-tree '],
  ['tissue', 'show --json'],
  ['git', ' push '],
  ['git', ' merge --ff-only'],
  ['tissue', 'close --as'],
  ['git', ' update-ref --no-deref -d'],
] as const

const steps: Step[] = (['before', 'after'] as const).flatMap((when) =>
  commands.map(([program, words], index) => {
    const strategy = words === ' commit-tree ' || index % 2 === 1 ? 'squash' : 'rebase'
    return { program, words, when, strategy }
  }),
)

type Deadly = Place & { bare: string; other: string; folder: string; killed: string }

/** A bare repository, a clone to work in whose `program` is ours, and another clone. */
function clones(program: 'git' | 'tissue', body: (real: string, folder: string) => string): Deadly {
  const folder = tempFolder('deadly')
  const [bare, root, other] = [join(folder, 'origin.git'), join(folder, 'clone'), join(folder, 'other')]
  git(folder, 'clone', '-q', '--bare', tempRepo({ 'a.txt': 'a\n' }), bare)
  for (const clone of [root, other]) {
    git(folder, 'clone', '-q', bare, clone)
    git(clone, 'config', 'user.name', 'Tester')
    git(clone, 'config', 'user.email', 'tester@example.invalid')
  }
  const real = execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8', env: cleanEnv() }).trim()
  script(join(folder, program), `#!/bin/sh\n${body(real, folder)}\nexec ${real} "$@"\n`)
  const at = placeAt(root, { PATH: `${folder}:${toolPath()}` })
  return { ...at, bare, other, folder, killed: join(folder, 'killed') }
}

/** The runner changes a file, lets another push to the remote, and says that the landing is next. */
function runner({ agent, other, folder }: Deadly, pushes: boolean): string {
  const push = `cd ${other} && git commit -q --allow-empty -m theirs && git push -q`
  return agent(
    'w',
    `case $prompt in *'go on from it'*) ;; *) echo "$title" >> x.txt ;; esac; [ -e ${folder}/armed ] || (${pushes ? push : 'true'}); touch ${folder}/armed`,
  )
}

/** What must hold once a landing was made to its end. */
function expectLandedOnce(at: Deadly, id: string): void {
  expect(landedIds(at.bare)).toEqual([id])
  expect(git(at.root, 'rev-parse', 'main')).toBe(git(at.bare, 'rev-parse', 'main'))
  expect([read(at.root, 'x.txt'), git(at.root, 'status', '--porcelain')]).toEqual(['x\n', '?? .tissue/'])
  expect([show(at.root, id).status, leftovers(at.root)]).toEqual(['closed', []])
}

const shift = Date.now() % steps.length
const chosen = [...steps.slice(shift), ...steps.slice(0, shift)].slice(0, scaled(steps.length))

it.each(chosen)(
  'a loop killed $when $program $words, landing by $strategy, has landed once after the next',
  async ({ program, words, when, strategy }) => {
    const at = clones(program, (real, folder) => {
      const kill = `touch ${folder}/killed; kill -9 $(cat ${folder}/loop)`
      const both = when === 'before' ? `${kill}; exit 1` : `${real} "$@"; code=$?; ${kill}; exit $code`
      const isTime = `[ -e ${folder}/armed ] && [ ! -e ${folder}/killed ]`
      return `case " $* " in *'${words}'*) if ${isTime}; then ${both}; fi ;; esac`
    })
    const id = at.issue('x')
    const how = ['--push', '--strategy', strategy, '--with', runner(at, true), '--verify', 'true']
    const started = at.start('run', '--issues', ...how)
    script(join(at.folder, 'loop'), String(started.child.pid))
    const { signal } = await started.done
    expect([signal, existsSync(at.killed)]).toEqual(['SIGKILL', true])
    const next = at.loop('run', '--issues', ...how)
    if (next.code !== 3) ok(next)
    expectLandedOnce(at, id)
  },
)

it('a push that another was faster than is made again on top of theirs', () => {
  const at = clones('git', (real, folder) => {
    const theirs = `unset $(git rev-parse --local-env-vars) && ${real} commit -q --allow-empty -m faster && ${real} push -q`
    const first = `[ -e ${folder}/armed ] && [ ! -e ${folder}/killed ]`
    return `case " $* " in *' push '*) if ${first}; then touch ${folder}/killed; (cd ${folder}/other && ${theirs}) >&2; fi ;; esac`
  })
  const id = at.issue('x')
  ok(at.loop('run', '--issues', '--push', '--with', runner(at, false), '--verify', 'true'))
  expect(git(at.bare, 'log', '--format=%s', 'main')).toBe('x\nfaster\nStart')
  expectLandedOnce(at, id)
})

it('a pause between the look at the remote and the push does no harm', async () => {
  const at = clones('tissue', (real, folder) => {
    const stop = `touch ${folder}/killed; ${real} "$@"; code=$?; kill -STOP $(cat ${folder}/loop); exit $code`
    return `case " $* " in *'show --json'*) if [ -e ${folder}/armed ] && [ ! -e ${folder}/killed ]; then ${stop}; fi ;; esac`
  })
  const id = at.issue('x')
  const started = at.start('run', '--issues', '--push', '--with', runner(at, false), '--verify', 'true')
  script(join(at.folder, 'loop'), String(started.child.pid))
  while (!existsSync(at.killed)) await sleep(20)
  await stopped(started.child.pid)
  git(at.other, 'commit', '-q', '--allow-empty', '-m', 'theirs')
  git(at.other, 'push', '-q')
  started.child.kill('SIGCONT')
  expect((await started.done).code).toBe(0)
  expect(git(at.bare, 'log', '--format=%s', 'main')).toBe('x\ntheirs\nStart')
  expectLandedOnce(at, id)
})
