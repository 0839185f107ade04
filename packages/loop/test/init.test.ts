import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, full, git, itWith, run, runAsPerson, tempFolder, tempRepo, trust } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { detect } from '../src/config/detect.ts'
import { initiated } from '../src/config/init-schema.ts'
import { ok, place, placeAt, read, write } from './place.ts'

const init = (cwd: string, ...args: string[]) => runAsPerson('loop', ['init', ...args], { cwd })

const detected = (files: Record<string, string>) =>
  detect({ has: (name) => name in files, read: (name) => files[name] })

describe('what the files of a project say', () => {
  const tested = '{"scripts":{"test":"vitest"},"devDependencies":{"vitest":"4"}}'
  it.each([
    ['npm', { 'package.json': tested, 'package-lock.json': '' }, ['npm test'], ['npm ci']],
    ['no lock file', { 'package.json': tested }, ['npm test'], ['npm install']],
    ['pnpm', { 'package.json': tested, 'pnpm-lock.yaml': '' }, ['pnpm test'], ['pnpm install --frozen-lockfile']],
    ['yarn', { 'package.json': tested, 'yarn.lock': '' }, ['yarn test'], ['yarn install --frozen-lockfile']],
    ['bun', { 'package.json': tested, 'bun.lock': '' }, ['bun run test'], ['bun install --frozen-lockfile']],
    [
      'the test npm init writes',
      { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\""}}' },
      [],
      [],
    ],
    ['a broken package.json', { 'package.json': '{' }, [], []],
    ['cargo', { 'Cargo.toml': '', Makefile: 'test:\n' }, ['cargo test'], []],
    ['go and node', { 'go.mod': '', 'package.json': tested }, ['npm test', 'go test ./...'], ['npm install']],
    ['pytest', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, ['python3 -m pytest'], []],
    ['pytest with uv', { 'conftest.py': '', 'uv.lock': '' }, ['uv run pytest'], ['uv sync']],
    ['make', { Makefile: 'all:\n\ntest: all\n' }, ['make test'], []],
    ['make check', { GNUmakefile: 'check:\n' }, ['make check'], []],
    ['a variable named test', { Makefile: 'test:=1\n' }, [], []],
    ['gradle', { 'build.gradle.kts': '', gradlew: '' }, ['./gradlew test'], []],
    ['mix', { 'mix.exs': '', 'mix.lock': '' }, ['mix test'], ['mix deps.get']],
    ['rspec', { Gemfile: '', 'Gemfile.lock': '', spec: '' }, ['bundle exec rspec'], ['bundle install']],
    ['nothing', {}, [], []],
  ])('%s', (_, files, verify, setup) => {
    expect(detected(files)).toEqual({ verify, setup })
  })
})

describe('loop init', () => {
  it('writes what it finds, from anywhere in the repository, and makes the folder of loop', () => {
    const at = place({ '.gitignore': '.env\n', 'package.json': '{"scripts":{"test":"x"}}', 'sub/a': 'a' })
    write(at.root, '.env', 'A=1\n')
    const finished = ok(init(join(at.root, 'sub')))
    expect(finished).toMatchObject({ stdout: `${at.root}/loop.json\n`, stderr: 'verify: npm test\n' })
    expect(JSON.parse(read(at.root, 'loop.json'))).toEqual({ v: 1, verify: 'npm test', worktree: { copy: ['.env'] } })
    expect(read(at.root, 'loop.json').endsWith('}\n')).toBe(true)
    expect(existsSync(join(at.root, '.git/loop'))).toBe(true)
    expect(readdirSync(at.root).filter((name) => name.startsWith('.loop'))).toEqual([])
    expect(git(at.root, 'status', '--porcelain')).toBe('?? loop.json')
  })

  it('takes commands instead of what it finds, one or several, and prints instead of writing', () => {
    const at = place({ Makefile: 'test:\n' })
    const printed = ok(at.loop('init', '--print', '--verify', 'a', '--verify', 'b'))
    expect(JSON.parse(printed.stdout)).toEqual({ v: 1, verify: ['a', 'b'] })
    expect(existsSync(join(at.root, 'loop.json'))).toBe(false)
    ok(at.loop('init', '--verify', 'c'))
    expect(JSON.parse(read(at.root, 'loop.json'))).toEqual({ v: 1, verify: 'c' })
    expect(at.loop('init', '--print', '--verify', '')).toMatchObject({ code: 2, stdout: '' })
  })

  it('checks the one that is there and never changes it', () => {
    const at = place({ 'loop.json': '{"base":"main"}', Makefile: 'test:\n' })
    const again = ok(at.loop('init', '--json'))
    expect(initiated.parse(JSON.parse(again.stdout))).toMatchObject({ made: false, config: { base: 'main' } })
    expect(again.stderr).toBe('no verify command: set verify in it\n')
    expect(ok(at.loop('init')).stdout).toBe(`${at.root}/loop.json  was there\n`)
    expect(ok(at.loop('init', '--quiet'))).toMatchObject({ stdout: `${at.root}/loop.json\n`, stderr: '' })
    expect(at.loop('init', '--verify', 'x')).toMatchObject({
      code: 5,
      stderr: `loop: ${at.root}/loop.json is there already, and stays as it is; edit it\n`,
    })
    write(at.root, 'loop.json', '{"worktree":{"copy":".env"}}')
    const broken = at.loop('init')
    expect(broken.code).toBe(2)
    expect(broken.stderr).toMatch(/^loop: expected settings in .*loop\.json, got something else at worktree\.copy: /)
    expect(read(at.root, 'loop.json')).toBe('{"worktree":{"copy":".env"}}')
  })

  it('lets one of two write it', async () => {
    const at = place()
    const both = [at.start('init', '--verify', 'a'), at.start('init', '--verify', 'b')]
    const codes = (await Promise.all(both.map(({ done }) => done))).map(({ code }) => code)
    expect(codes.sort()).toEqual([0, 5])
    expect(readdirSync(at.root).filter((name) => name.startsWith('.loop'))).toEqual([])
  })

  it('is whole or not there, whenever it is killed or the disk is full, and the next one goes through', () => {
    const at = place()
    for (const action of ['kill', 'ENOSPC'] as const) {
      for (let nth = 1; ; nth += full ? 1 : 3) {
        rmSync(join(at.root, 'loop.json'), { force: true })
        const env = faultEnv({ call: '*', nth, action, match: 'loop.json' })
        const finished = run('loop', ['init', '--verify', 'true'], { cwd: at.root, env })
        if (existsSync(join(at.root, 'loop.json'))) expect(JSON.parse(read(at.root, 'loop.json')).verify).toBe('true')
        if (finished.code === 0) break
        expect([1, null]).toContain(finished.code)
        ok(at.loop('init'))
      }
    }
  })

  it('says so where there is no repository', () => {
    expect(run('loop', ['init'], { cwd: tempFolder('none') }).code).toBe(2)
  })

  itWith('permissions that stop this user', 'says so where it may not write', () => {
    const root = tempRepo()
    chmodSync(root, 0o555)
    const refused = run('loop', ['init'], { cwd: root, unprivileged: true })
    chmodSync(root, 0o755)
    expect(refused.stdout).toBe('')
    expect([1, 2, 8]).toContain(refused.code)
    expect(refused.stderr).toContain('EACCES')
  })
})

describe('where loop.json is read', () => {
  it('is the top of the main tree, also from a linked worktree, whose own is not looked at', () => {
    const at = place({ 'loop.json': '{"verify":"echo tracked; false"}' })
    write(at.root, 'loop.json', '{"verify":"true"}')
    trust(at.root)
    const path = ok(at.loop('worktree', 'add', 'x')).stdout.trim()
    expect(read(path, 'loop.json')).toContain('tracked')
    expect(run('loop', ['verify', '--json'], { cwd: path }).code).toBe(0)
    expect(run('loop', ['verify', '--json'], { cwd: path, env: { JWZ_STORE: tempFolder('bus') } }).code).toBe(0)
  })

  it("is git's own folder in a bare repository and with one that lies apart", () => {
    const folder = tempFolder('bare')
    git(folder, 'clone', '-q', '--bare', tempRepo(), 'repo.git')
    const bare = placeAt(join(folder, 'repo.git'))
    expect(ok(init(bare.root, '--verify', 'true')).stdout).toBe(`${folder}/repo.git/loop.json\n`)
    const path = ok(bare.loop('worktree', 'add', 'x')).stdout.trim()
    expect(ok(run('loop', ['verify', '--json'], { cwd: path })).code).toBe(0)
    git(folder, 'clone', '-q', '--separate-git-dir', join(folder, 'apart'), tempRepo({ Makefile: 'test:\n' }), 'tree')
    const apart = ok(init(join(folder, 'tree')))
    expect(apart).toMatchObject({ stdout: `${folder}/apart/loop.json\n`, stderr: 'verify: make test\n' })
  })
})
