import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { git, tempFolder } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import { committedPlace } from './init-place.ts'
import { plant } from './scans-place.ts'

test("no command runs that a repository's own settings name, or those of one in it", () => {
  const { root, init, deepscan, takenIn, commit } = committedPlace()
  const ran = tempFolder('ran')
  const mark = (name: string) => `touch ${join(ran, name)}; cat`
  git(root, 'clone', '--quiet', '.', 'sub')
  for (const name of ['user.name', 'user.email']) git(join(root, 'sub'), 'config', name, git(root, 'config', name))
  plant(root, { 'sub/s.ts': 's\n', '.gitattributes': 'a.ts filter=x=y diff=d\nd.md filter=long\n' })
  git(join(root, 'sub'), 'add', '--all')
  git(join(root, 'sub'), 'commit', '--quiet', '--message', 's')
  const base = commit('a repository in it')
  plant(root, { 'a.ts': 'changed\n', 'd.md': '# e\n', 'sub/s.ts': 'changed\n' })
  for (const [name, value] of [
    ['filter.x=y.clean', mark('clean')],
    ['filter.x=y.required', 'true'],
    ['filter.long.process', mark('process')],
    ['diff.d.textconv', mark('textconv')],
    ['diff.d.command', mark('command')],
    ['core.fsmonitor', mark('monitor')],
  ] as const) {
    git(root, 'config', name, value)
  }
  git(join(root, 'sub'), 'config', 'core.fsmonitor', mark('monitor of the one in it'))
  const changed = ['a.ts', 'd.md']
  expect(takenIn(init('--since', base))).toEqual(changed)
  expect(takenIn(init('--diff', base, '--force'))).toEqual(changed)
  git(root, 'config', 'remote.origin.url', `ext::sh -c touch% ${join(ran, 'fetched')}`)
  git(root, 'config', 'remote.origin.promisor', 'true')
  git(root, 'config', 'protocol.ext.allow', 'always')
  git(root, 'config', 'extensions.partialClone', 'origin')
  const lost = git(root, 'rev-parse', 'HEAD:b/c.ts')
  rmSync(join(root, '.git', 'objects', lost.slice(0, 2), lost.slice(2)))
  const { code, stdout } = deepscan(['init', '--rev', 'HEAD', '--force'])
  expect({ ran: readdirSync(ran), code, stdout }).toEqual({ ran: [], code: 8, stdout: '' })
})
