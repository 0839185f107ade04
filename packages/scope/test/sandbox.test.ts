import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { type Finished, git, itWith, run, script, start, tempFolder, tempRepo, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

const need = 'a sandbox that the kernel allows'

/** A repository, and a home with things in it that no agent should see. */
function place(env: Record<string, string> = {}) {
  const root = tempRepo({ 'a.txt': 'one\n' })
  const home = tempFolder('home')
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Tester\n\temail = tester@example.invalid\n')
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
    return join(home, path)
  }
  const all = { HOME: home, XDG_STATE_HOME: join(home, '.local', 'state'), ...env }
  const sandboxed = (line: string, ...flags: string[]): Finished =>
    run('scope', ['run', '--sandbox', ...flags, '--', 'sh', '-c', line], { cwd: root, env: all })
  return { root, home, put, env: all, sandboxed }
}

const listen = (path: string) =>
  new Promise<Server>((done) => {
    const server = createServer((socket) => socket.end('reached'))
    server.listen(path, () => done(server))
  })

const connect = (path: string) =>
  `node -e "require('net').connect(${JSON.stringify(path).replaceAll('"', "'")}).on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code))"`

describe('scope run --sandbox', () => {
  itWith(need, 'writes where it works and in the stores, and nowhere else', () => {
    const at = place()
    const outside = tempFolder('outside')
    const file = at.put('notes.txt', 'mine\n')
    const tries = [join(outside, 'x'), file, '/etc/x', '/usr/x', '/x', '/dev/x', '/var/x'].map(
      (path) => `(echo theirs >${path}) 2>/dev/null`,
    )
    const done = at.sandboxed(`echo two >b.txt; jwz post note -m hello >/dev/null; ${tries.join('; ')}; exit 0`)
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(join(at.root, 'b.txt'), 'utf8')).toBe('two\n')
    expect(run('jwz', ['read', 'note', '--json'], { cwd: at.root, env: at.env }).stdout).toContain('hello')
    expect(readFileSync(file, 'utf8')).toBe('mine\n')
    expect([outside, '/etc', '/usr', '/', '/dev', '/var'].filter((folder) => existsSync(join(folder, 'x')))).toEqual([])
  })

  itWith(need, "sees no secret: no key file, no login, no variable, nobody's processes", () => {
    const secret = 'sekret-4711'
    const names = ['A_KEY', 'A_TOKEN', 'A_SECRET', 'MY_PASSWORD', 'AWS_ACCESS_KEY_ID', 'DATABASE_URL', 'SSH_AUTH_SOCK']
    const at = place(Object.fromEntries(names.map((name) => [name, `x://u:${secret}@h`])))
    const files = ['.ssh/id_ed25519', '.aws/credentials', '.config/gcloud/x.json', '.gnupg/secring.gpg', '.netrc']
    const more = ['.git-credentials', '.docker/config.json', '.kube/config', '.npmrc', '.local/state/switchyard/key']
    const agents = ['.claude/.credentials.json', '.claude.json', '.codex/auth.json', '.gemini/oauth_creds.json']
    const paths = [...files, ...more, ...agents].map((path) => at.put(path, secret))
    const look = `env; cat ${paths.join(' ')} 2>/dev/null; cat /proc/*/environ | tr '\\0' '\\n'; ls -a $HOME; exit 0`
    const done = at.sandboxed(look)
    expect(done.code).toBe(0)
    expect(done.stdout).toContain('.gitconfig')
    expect(done.stdout).not.toContain(secret)
    expect(done.stdout).not.toContain(`.ssh`)
  })

  itWith(need, "gives an agent its own login and sessions, and nobody else's; its settings stay as they are", () => {
    const at = place({ ANTHROPIC_API_KEY: 'own-4711', OPENAI_API_KEY: 'other-4711' })
    const bin = join(at.home, '.local', 'bin')
    const settings = at.put('.claude/settings.json', '{}\n')
    const login = at.put('.claude/.credentials.json', 'login\n')
    const known = at.put('.claude.json', '{"known":1}\n')
    at.put('.codex/auth.json', 'other\n')
    at.put('.claude/projects/-other/s.jsonl', 'other\n')
    const does = [
      `echo "$ANTHROPIC_API_KEY-$OPENAI_API_KEY" >env.txt`,
      'cat ~/.claude/.credentials.json ~/.claude.json ~/.codex/auth.json ~/.claude/projects/-other/s.jsonl >seen.txt',
      'echo renewed >~/.claude/.credentials.json; (echo planted >~/.claude/settings.json)',
      'echo planted >~/.claude.json.new && mv ~/.claude.json.new ~/.claude.json; cat ~/.claude.json >>seen.txt',
      'mkdir -p ~/.claude/hooks && echo planted >~/.claude/hooks/x',
      'echo told >"$HOME/.claude/projects/$(pwd | tr -c "A-Za-z0-9\\n" -)/mine.jsonl"',
    ]
    const result = JSON.stringify({ type: 'result', subtype: 'success', result: 'ok', session_id: 's' })
    script(join(bin, 'claude'), `#!/bin/sh\nexec 2>/dev/null\n${does.join('\n')}\necho '${result}'\n`)
    const env = { ...at.env, PATH: [bin, toolPath()].join(delimiter) }
    const done = run('scope', ['run', '--sandbox', '--agent', 'claude'], { cwd: at.root, env, input: 'go' })
    expect(done).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(readFileSync(join(at.root, 'env.txt'), 'utf8')).toBe('own-4711-\n')
    expect(readFileSync(join(at.root, 'seen.txt'), 'utf8')).toBe('login\n{"known":1}\nplanted\n')
    expect([settings, login, known].map((path) => readFileSync(path, 'utf8'))).toEqual([
      ...['{}\n', 'renewed\n', '{"known":1}\n'],
    ])
    expect(existsSync(join(at.home, '.claude', 'hooks'))).toBe(false)
    const project = at.root.replace(/[^A-Za-z0-9]/g, '-')
    expect(readFileSync(join(at.home, '.claude', 'projects', project, 'mine.jsonl'), 'utf8')).toBe('told\n')
  })

  itWith(need, 'reaches no socket of another program; without a network none by name either', async () => {
    const at = place()
    const named = `\0switchyard-${process.pid}`
    const paths = [join(tempFolder('sock'), 's'), join(at.home, 's'), named]
    const servers = await Promise.all(paths.map(listen))
    const tcp = createServer((socket) => socket.end('reached'))
    await new Promise<void>((done) => tcp.listen(0, '127.0.0.1', done))
    try {
      const [first = '', second = ''] = paths
      expect(await startScope(at, `${connect(first)}; ${connect(second)}`)).toBe('ENOENT\nENOENT\n')
      const address = tcp.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      const all = `${connect(named).replace('\0', '\\0')}; node -e "require('net').connect(${port}, '127.0.0.1').on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code))"`
      expect(await startScope(at, all, '--no-network')).toBe('ECONNREFUSED\nECONNREFUSED\n')
    } finally {
      for (const server of [...servers, tcp]) server.close()
    }
  })

  itWith(need, 'leaves no process behind, and fills no memory', () => {
    const at = place({ MARK: 'sandbox-4711' })
    const line = `setsid sleep 600 >/dev/null 2>&1 & setsid sh -c 'trap "" TERM; sleep 600' >/dev/null 2>&1 &
      touch started; fallocate -l 3G /tmp/full; echo $?; fallocate -l 3G /dev/shm/full; echo $?; fallocate -l 3G ~/full; echo $?`
    expect(at.sandboxed(line)).toMatchObject({ code: 0, stdout: '1\n1\n1\n' })
    expect(existsSync(join(at.root, 'started'))).toBe(true)
    const left = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes('sandbox-4711'))
    expect(left).toEqual([])
  })

  itWith(need, 'plants nothing that git reads outside, and its commits come out', () => {
    const at = place()
    const mark = join(tempFolder('mark'), 'mark')
    const before = readFileSync(join(at.root, '.git', 'config'), 'utf8')
    const trap = `: >${mark}; :`
    const line = `
      git config core.fsmonitor '${trap}'; git config filter.x.clean '${trap}; cat'; git config core.hooksPath .hooks
      echo '* filter=x' >.gitattributes; mkdir -p .hooks .git/hooks
      for h in post-commit pre-commit; do printf '#!/bin/sh\\n${trap}\\n' >.git/hooks/$h; chmod +x .git/hooks/$h; done
      cp .git/hooks/* .hooks/; printf '[core]\\n\\tfsmonitor = ${trap}\\n' >.git/config.worktree; echo /tmp >.git/commondir
      rm .git/commondir; alias g='git -c core.fsmonitor=false -c core.hooksPath=/dev/null -c filter.x.clean=cat'
      git init --quiet sub; (cd sub; echo '* filter=x' >.gitattributes; echo a >a; g add a; g commit --quiet -m s
      git config core.fsmonitor '${trap}'; git config filter.x.clean '${trap}; cat'; echo b >a)
      echo two >b.txt; g add b.txt .gitattributes sub 2>/dev/null; g commit --quiet -m inside`
    const done = at.sandboxed(line)
    const kept = join(at.root, 'sub', 'git-from-sandbox')
    expect(done).toMatchObject({ code: 0, stderr: `scope: the repository that was made there is now ${kept}\n` })
    expect(readFileSync(join(at.root, '.git', 'config'), 'utf8')).toBe(before)
    expect(
      ['hooks/pre-commit', 'config.worktree', 'commondir'].filter((name) => existsSync(join(at.root, '.git', name))),
    ).toEqual([])
    expect(git(at.root, 'log', '-1', '--format=%s %an', 'main')).toBe('inside Tester')
    expect(git(at.root, 'status', '--porcelain')).toBe('?? .hooks/')
    git(at.root, 'add', '--all')
    git(at.root, 'commit', '--quiet', '-m', 'outside')
    expect(existsSync(mark)).toBe(false)
    git(at.root, 'fsck', '--strict')
  })

  itWith(need, 'is a linked worktree inside too, and what is no step forward is kept under a ref', () => {
    const at = place()
    const linked = join(tempFolder('linked'), 'tree')
    git(at.root, 'worktree', 'add', '--quiet', '-b', 'side', linked)
    const pointer = readFileSync(join(linked, '.git'), 'utf8')
    const line = `(echo gitdir: /tmp >.git) 2>/dev/null; rm -f .git 2>/dev/null
      echo two >a.txt; git commit --quiet --all --amend -m amended; git rev-parse HEAD; git log --format=%s main; cat ${at.root}/.git/config`
    const inside = { cwd: linked, env: at.env }
    const done = run('scope', ['run', '--sandbox', '--', 'sh', '-c', `${line}; exit 0`], inside)
    const [commit = '', main] = done.stdout.split('\n')
    expect([done.code, main]).toEqual([0, 'Start'])
    expect(readFileSync(join(linked, '.git'), 'utf8')).toBe(pointer)
    const ref = `refs/sandbox/${commit.slice(0, 12)}`
    expect(done.stderr).toContain(`is no step forward of the branch, and kept in ${ref}`)
    expect(git(at.root, 'rev-parse', ref)).toBe(commit)
    expect(git(linked, 'log', '-1', '--format=%s')).toBe('Start')
  })

  itWith(need, 'has the history of a repository of any kind, and its commits come out of it', () => {
    const at = place()
    const origin = `file://${at.root}`
    git(at.root, 'config', 'uploadpack.allowFilter', 'true')
    git(at.root, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
    const around = tempFolder('kinds')
    const who = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.invalid']
    const commit = 'git log -1 --format=%s; echo two >b.txt; git add b.txt; git commit --quiet -m inside'
    const kinds = [
      { name: 'sha256', made: ['init', '--quiet', '--object-format=sha256', 'sha256'] },
      { name: 'partial', made: ['clone', '--quiet', '--filter=blob:none', origin, 'partial'] },
      { name: 'shallow', made: ['clone', '--quiet', '--depth=1', origin, 'shallow'] },
      { name: 'sparse', made: ['clone', '--quiet', '--sparse', origin, 'sparse'] },
      { name: 'shared', made: ['clone', '--quiet', '--shared', at.root, 'shared'] },
      { name: 'modules', made: ['clone', '--quiet', origin, 'modules'] },
    ]
    for (const { name, made } of kinds) {
      git(around, ...made)
      const cwd = join(around, name)
      if (name === 'sha256') git(cwd, ...who, 'commit', '--quiet', '--allow-empty', '-m', 'Start')
      if (name === 'modules') {
        git(cwd, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin, 'sub')
        git(cwd, ...who, 'commit', '--quiet', '-m', 'Start')
      }
      const line = name === 'modules' ? `cat sub/a.txt; ${commit}; (echo x >sub/.git) 2>/dev/null; exit 0` : commit
      const done = run('scope', ['run', '--sandbox', '--', 'sh', '-c', line], { cwd, env: at.env })
      expect([name, done.code, done.stdout.endsWith('Start\n'), done.stderr]).toEqual([name, 0, true, ''])
      expect([name, git(cwd, 'log', '-2', '--format=%s'), git(cwd, 'status', '--porcelain')]).toEqual([
        ...[name, 'inside\nStart', ''],
      ])
      git(cwd, 'fsck')
    }
  })

  it('says in one line why it cannot, and never runs without', () => {
    const at = place()
    const bin = tempFolder('bin')
    for (const name of ['sh', 'git', 'node']) script(join(bin, name), `#!/bin/sh\nexec ${which(name)} "$@"\n`)
    const tried = (bwrap?: string) => {
      if (bwrap !== undefined) script(join(bin, 'bwrap'), `#!/bin/sh\necho 'bwrap: ${bwrap}' >&2; exit 1\n`)
      const env = { ...at.env, PATH: bin }
      return run('scope', ['run', '--sandbox', '--', 'sh', '-c', `touch ${at.root}/ran`], { cwd: at.root, env })
    }
    expect(tried()).toEqual({
      ...{ code: 8, signal: null, stdout: '' },
      stderr:
        'scope: cannot confine a command: bwrap is not on PATH; install it: apt install bubblewrap, dnf install bubblewrap\n',
    })
    expect(tried('Unknown option --size').stderr).toContain(
      'bwrap is too old: Unknown option --size; install bubblewrap',
    )
    expect(tried('setting up uid map: Permission denied')).toMatchObject({
      ...{ code: 8, stdout: '' },
      stderr: expect.stringContaining(
        'the kernel refuses namespaces to bwrap: setting up uid map: Permission denied; let',
      ),
    })
    expect(existsSync(join(at.root, 'ran'))).toBe(false)
    expect(run('scope', ['run', '--no-network', '--', 'true'], { cwd: at.root }).code).toBe(2)
  })
})

const which = (name: string) =>
  name === 'node' ? process.execPath : existsSync(`/bin/${name}`) ? `/bin/${name}` : `/usr/bin/${name}`

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return ''
    throw error
  }
}

/** Without standing still meanwhile: this process is the one that listens. */
async function startScope(at: ReturnType<typeof place>, line: string, ...flags: string[]): Promise<string> {
  const args = ['run', '--sandbox', ...flags, '--', 'sh', '-c', line]
  const started = start('scope', args, { cwd: at.root, env: at.env, input: '' })
  return (await started.done).stdout
}
