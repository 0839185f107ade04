// A repository of another user of one's group: seen as git sees it, or refused; never a private store in silence.
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { itWith, otherUser, run, tempRepo } from '@switchyard/testkit'
import { expect, it } from 'vitest'

const owner = 61_001
const other = 61_002
const group = 61_000

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

/** Two users of one group, each with tools and a home of his own, and a folder that both may write in. */
function makeShared() {
  const as = (uid: number) => {
    const user = otherUser(uid, { gid: group, tools: ['jwz', 'tissue'] })
    const call = (program: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) => {
      const line = `umask 002; ${[program, ...args].map(quoted).join(' ')}`
      const { code, stdout, stderr } = user.bash(line, { cwd, env: { JWZ_AGENT: `user-${uid}`, ...env } })
      return { code, stdout, stderr }
    }
    const git = (cwd: string, ...args: string[]) => {
      const done = call('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args], cwd)
      if (done.code !== 0) throw new Error(done.stderr)
    }
    return { home: user.folder, call, git }
  }
  const a = as(owner)
  const place = join(a.home, 'place')
  mkdirSync(place)
  chownSync(place, owner, group)
  chmodSync(place, 0o2775)
  return { place, a, b: as(other) }
}

/** A repository of the first user with a subfolder, a worktree, a message and an issue. */
function makeRepository() {
  const { place, a, b } = makeShared()
  const repo = join(place, 'repo')
  a.git(place, 'init', '--quiet', '--shared=group', 'repo')
  a.git(repo, 'commit', '--quiet', '--allow-empty', '--message', 'one')
  a.git(repo, 'worktree', 'add', '--quiet', join(place, 'wt'))
  mkdirSync(join(repo, 'sub'))
  chownSync(join(repo, 'sub'), owner, group)
  chmodSync(join(repo, 'sub'), 0o2775)
  expect(a.call('jwz', ['post', 'news', '-m', 'from A'], repo).code).toBe(0)
  expect(a.call('tissue', ['new', 'work', '-q'], repo).code).toBe(0)
  return { repo, sub: join(repo, 'sub'), wt: join(place, 'wt'), b }
}

itWith('root', 'a repository of another user that git is told to trust is shared: topics, issues, worktrees', () => {
  const { repo, sub, wt, b } = makeRepository()
  writeFileSync(join(b.home, '.gitconfig'), '[include]\n\tpath = more\n')
  writeFileSync(join(b.home, 'more'), '[user]\n\tname = B # not A\n[Safe]\n\tDirectory = "*" ; all\n')
  expect(b.call('jwz', ['post', 'news', '-m', 'from B'], sub)).toMatchObject({ code: 0, stderr: '' })
  expect(b.call('jwz', ['read', 'news'], wt).stdout).toMatch(/from A\n(.*\n)from B\n$/)
  expect(b.call('tissue', ['list', '-q'], sub).stdout).toMatch(/^repo-\w+\n$/)
  expect(b.call('tissue', ['new', 'more', '-q'], sub).code).toBe(0)
  expect(b.call('jwz', ['where', '-q'], wt).stdout).toBe(`${repo}/.jwz\n`)
  expect(readdirSync(sub)).toEqual([])
})

itWith('root', 'a repository of another user that git is not told to trust is refused, and nothing is made', () => {
  const { repo, sub, wt, b } = makeRepository()
  const refusal = (tool: string, folder: string) =>
    `${tool}: the repository ${folder} belongs to user ${owner}, and git is not told to trust it; ` +
    `git config --global --add safe.directory ${folder}, or name a store with --store, JWZ_STORE or TISSUE_STORE\n`
  for (const [cwd, folder] of [
    [sub, repo],
    [repo, repo],
    [wt, wt],
  ] as const) {
    for (const [tool, ...args] of [
      ['jwz', 'post', 'news', '-m', 'from B'],
      ['jwz', 'read', 'news'],
      ['tissue', 'list'],
      ['tissue', 'new', 'dup'],
    ] as const)
      expect(b.call(tool, args, cwd)).toEqual({ code: 1, stdout: '', stderr: refusal(tool, folder) })
  }
  expect([...readdirSync(sub), ...readdirSync(wt)]).toEqual(['.git'])
  const own = join(b.home, 'own')
  expect(b.call('jwz', ['post', 'news', '-m', 'x', '--store', own], sub).code).toBe(0)
  expect(b.call('jwz', ['post', 'news', '-m', 'x'], sub, { JWZ_STORE: own }).code).toBe(0)
  expect(existsSync(join(own, 'topics', 'news.jsonl'))).toBe(true)
})

itWith('root', 'what git is told to trust is read as git reads it', () => {
  const { repo, sub, b } = makeRepository()
  const sees = (settings: string, env: Record<string, string> = {}) => {
    writeFileSync(join(b.home, '.gitconfig'), settings)
    return b.call('jwz', ['where', '-q'], sub, env).code === 0
  }
  const safe = (...values: string[]) => `[safe]\n${values.map((value) => `directory = ${value}\n`).join('')}`
  const count = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: repo }
  expect([sees(safe(repo)), sees(safe(`"${repo}"`)), sees(safe('*')), sees(safe(`${dirname(repo)}/*`))]).toEqual(
    Array(4).fill(true),
  )
  expect([sees(safe(sub)), sees(safe('*', '')), sees(`${safe()}# directory = *\n[core]\ndirectory = *\n`)]).toEqual(
    Array(3).fill(false),
  )
  expect(sees(safe('', repo))).toBe(true)
  expect(sees('', count)).toBe(true)
  expect(sees('', { GIT_CONFIG_PARAMETERS: `'safe.directory'='${repo}'` })).toBe(true)
  expect(sees(safe(repo), { GIT_CONFIG_GLOBAL: '/dev/null' })).toBe(false)
  const system = join(b.home, 'system')
  writeFileSync(system, safe(repo))
  expect(sees('', { GIT_CONFIG_SYSTEM: system, GIT_CONFIG_NOSYSTEM: '0' })).toBe(true)
  expect(sees('', { GIT_CONFIG_SYSTEM: system, GIT_CONFIG_NOSYSTEM: '1' })).toBe(false)
})

it('a repository of one’s own is seen, whatever git is told to trust', () => {
  const root = tempRepo()
  const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '/elsewhere' }
  expect(run('jwz', ['where', '-q'], { cwd: root, env })).toMatchObject({ code: 0, stdout: `${root}/.jwz\n` })
})
