import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { git, itWith, run, script, tempFolder, tempRepo, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { events, killAt, landedIds, leftovers, ok, placeAt, show } from './place.ts'

const need = 'a sandbox that the kernel allows'

/** A repository whose user has a home with a key in it. */
function place(files: Record<string, string> = { 'a.txt': 'one\n' }, variables: Record<string, string> = {}) {
  const home = tempFolder('home')
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
    return join(home, path)
  }
  put('.gitconfig', '[user]\n\tname = Tester\n\temail = tester@example.invalid\n')
  // What is confined reaches no process outside of its sandbox: the tools are processes of their own.
  const env = { HOME: home, PATH: toolPath(), XDG_STATE_HOME: join(home, '.local', 'state'), ...variables }
  return { ...placeAt(tempRepo(files), env), home, put, env }
}

describe('loop run --sandbox', () => {
  itWith(need, 'works an issue from its claim to its landing, with what the agent commits and what it leaves', () => {
    const at = place()
    const id = at.issue('x')
    const inside = [
      'git log --format=%s main >seen.txt; echo kept >b.txt; echo "*.log" >.gitignore; echo forced >f.log',
      'git add --force b.txt f.log && git commit --quiet -m "by the agent"; echo left >c.txt',
      `jwz post note -m "from $LOOP_ISSUE"; tissue comment "$LOOP_ISSUE" -m 'half way'; loop signal --help >/dev/null`,
    ]
    const runner = at.agent('w', inside.join('\n'))
    const verify =
      'test -f f.log && test "$(git log --format=%s -2 | tail -1)" = "by the agent" && git status --porcelain >/dev/null'
    ok(at.loop('run', '--issues', '--sandbox', '--no-network', '--with', runner, '--verify', verify))
    expect(landedIds(at.root)).toEqual([id, id])
    expect(git(at.root, 'log', '--format=%s|%an')).toBe('x|Tester\nby the agent|Tester\nStart|Tester')
    expect(git(at.root, 'show', 'main:seen.txt')).toBe('Start')
    expect(git(at.root, 'ls-tree', '--name-only', 'main').split('\n')).toEqual([
      ...['.gitignore', 'a.txt', 'b.txt', 'c.txt', 'f.log', 'seen.txt'],
    ])
    expect(show(at.root, id)).toMatchObject({ status: 'closed' })
    expect(JSON.stringify(show(at.root, id).comments)).toContain('half way')
    expect(ok(run('jwz', ['read', 'note', '--json'], { cwd: at.root, env: at.env })).stdout).toContain(`from ${id}`)
    expect(leftovers(at.root)).toEqual([])
    expect(events(at.root)).toContainEqual(expect.objectContaining({ event: 'started', sandbox: true }))
    git(at.root, 'fsck', '--strict')
  })

  itWith(
    need,
    'holds the runner and what verifies: no key, no secret, no write outside, no socket, no trap for git',
    async () => {
      const secret = 'sekret-4711'
      const at = place(undefined, { A_TOKEN: secret })
      const id = at.issue('x')
      const key = at.put('.ssh/id_ed25519', secret)
      const outside = tempFolder('outside')
      const mark = join(outside, 'mark')
      const trap = `: >${mark}; :`
      const admin = `${at.root}/.git/worktrees/*`
      const config = readFileSync(join(at.root, '.git', 'config'), 'utf8')
      const tries = [
        `alias g='git -c core.fsmonitor=false -c filter.x.clean=cat'`,
        `git init --quiet sub; git -C sub config core.fsmonitor '${trap}'; git -C sub config filter.x.clean '${trap}; cat'`,
        `(cd sub; echo '* filter=x' >.gitattributes; echo a >a; g add a; g commit --quiet -m s; echo b >a); g add sub; g commit --quiet -m nested`,
        `cat ${key} ${at.home}/.local/state/switchyard/* >>seen.txt; env >>seen.txt; cat ${at.root}/.git/config >>seen.txt`,
        `echo x >${outside}/x; echo x >${at.root}/x; echo x >${at.root}/.git/hooks/post-merge; echo x >${at.home}/x`,
        `git config core.fsmonitor '${trap}'; git config filter.x.clean '${trap}; cat'; echo '* filter=x' >.gitattributes`,
        `for f in ${admin}/config.worktree ${at.root}/.git/config; do printf '[core]\\n\\tfsmonitor = ${trap}\\n' >$f; done`,
        `d=$(git rev-parse --git-dir); echo /tmp >"$d/commondir"; rm "$d/commondir"; rm -f .git; echo 'gitdir: /tmp' >.git`,
        `setsid sleep 600 >/dev/null 2>&1 &`,
      ]
      const runner = at.agent('w', `exec 2>/dev/null\n${tries.join('\n')}\nexit 0\n`)
      const server = createServer((socket) => socket.end())
      const reached: string[] = []
      server.on('connection', () => reached.push('x'))
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      const connects = `node -e "require('net').connect(${port}, '127.0.0.1').on('error', (e) => process.exit(e.code === 'ECONNREFUSED' ? 0 : 1)).on('connect', () => process.exit(1))"`
      const verify = `! grep -q ${secret} seen.txt && ! cat ${key} && test -z "$A_TOKEN" && ${connects}`
      const started = at.start('run', '--issues', '--sandbox', '--no-network', '--with', runner, '--verify', verify)
      const ended = await started.done
      server.close()
      expect(ended).toMatchObject({ code: 0 })
      expect(landedIds(at.root)).toEqual([id, id])
      expect(reached).toEqual([])
      expect(git(at.root, 'show', 'main:seen.txt')).not.toContain(secret)
      expect(git(at.root, 'show', 'main:seen.txt')).not.toContain('repositoryformatversion')
      const written = [mark, `${outside}/x`, `${at.root}/x`, `${at.root}/.git/hooks/post-merge`, `${at.home}/x`]
      expect(written.filter((path) => existsSync(path))).toEqual([])
      expect(readFileSync(join(at.root, '.git', 'config'), 'utf8')).toBe(config)
      git(at.root, 'status')
      expect(existsSync(mark)).toBe(false)
    },
  )

  itWith(
    need,
    'leaves no trap for git when it is killed in a call: recovery takes repositories away before it looks',
    async () => {
      const at = place()
      const id = at.issue('x')
      const mark = join(tempFolder('mark'), 'mark')
      const trap = `: >${mark}; :`
      const plant = [
        `git init --quiet sub; cd sub; echo '* filter=x' >.gitattributes; echo a >a; git add a; git commit --quiet -m s`,
        `git config core.fsmonitor '${trap}'; git config filter.x.clean '${trap}; cat'; echo b >a; cd ..; echo mine >b.txt`,
        'touch planted; sleep 600',
      ]
      const runner = at.agent('w', plant.join('\n'))
      const started = at.start('run', '--issues', '--sandbox', '--with', runner, '--verify', 'true')
      const worktrees = join(at.root, '.worktrees', 'loop')
      const hasPlanted = () =>
        existsSync(worktrees) && readdirSync(worktrees).some((name) => existsSync(join(worktrees, name, 'planted')))
      await killAt(started, hasPlanted)
      ok(at.doctor('--fix'))
      expect(existsSync(mark)).toBe(false)
      const [ref = ''] = git(at.root, 'for-each-ref', '--format=%(refname)', 'refs/loop/salvage').split('\n')
      expect(git(at.root, 'ls-tree', '-r', '--name-only', ref).split('\n')).toEqual([
        ...['a.txt', 'b.txt', 'planted', 'sub/.gitattributes', 'sub/a'],
      ])
      expect(show(at.root, id)).toMatchObject({ status: 'open', claim: null })
    },
  )

  itWith(need, 'confines an agent by its name, with its own login, and takes what it commits', () => {
    const at = place(undefined, { ANTHROPIC_API_KEY: 'own-4711', OPENAI_API_KEY: 'other-4711' })
    const id = at.issue('x')
    at.put('.claude/.credentials.json', 'login')
    at.put('.codex/auth.json', 'other')
    const result = JSON.stringify({ type: 'result', subtype: 'success', result: 'ok', session_id: 's' })
    const does = `cat >/dev/null; echo "$ANTHROPIC_API_KEY$OPENAI_API_KEY$(cat ~/.claude/.credentials.json ~/.codex/auth.json)" >seen.txt
      git add seen.txt; git commit --quiet -m mine; for a; do case $a in --settings=*) cat "\${a#*=}" >/dev/null && echo hooks >hooks.txt;; esac; done; echo '${result}'`
    script(join(at.home, '.local', 'bin', 'claude'), `#!/bin/sh\nexec 2>/dev/null\n${does}\n`)
    const env = { ...at.env, PATH: [join(at.home, '.local', 'bin'), toolPath()].join(delimiter) }
    const args = ['run', '--issues', '--sandbox', '--with', 'claude', '--verify', 'true']
    ok(run('loop', args, { cwd: at.root, env }))
    expect(landedIds(at.root)).toEqual([id, id])
    expect(git(at.root, 'show', 'main:seen.txt')).toBe('own-4711login')
    expect(git(at.root, 'show', 'main:hooks.txt')).toBe('hooks')
  })

  itWith(need, 'confines the reviewer, who reads the change, changes nothing, and is heard', () => {
    const outside = join(tempFolder('outside'), 'x')
    const asks = [
      `grep -q '^+mine' && git log -1 --format=%s && echo told >told.txt; echo x >${outside}; cat ~/key`,
      `git config core.fsmonitor 'touch ${outside}; :'; jwz post note -m "seen $(cat b.txt) $A_TOKEN" >/dev/null; echo LGTM`,
    ]
    const at = place({ 'a.txt': 'one\n' }, { A_TOKEN: 'sekret-4711' })
    at.put('key', 'sekret-4711')
    const reviewer = join(at.home, 'bin', 'reviewer')
    mkdirSync(dirname(reviewer))
    script(reviewer, `#!/bin/sh\nexec 2>&1\n${asks.join('\n')}\n`)
    writeFileSync(join(at.root, 'loop.json'), JSON.stringify({ review: true, reviewer }))
    git(at.root, 'add', 'loop.json')
    git(at.root, 'commit', '--quiet', '-m', 'Settings')
    ok(run('loop', ['trust'], { cwd: at.root, env: at.env }))
    const id = at.issue('x')
    const runner = at.agent('w', 'echo mine >b.txt')
    ok(at.loop('run', '--issues', '--sandbox', '--with', runner, '--verify', 'true'))
    expect(landedIds(at.root)).toEqual([id])
    expect(git(at.root, 'ls-tree', '--name-only', 'main').split('\n')).toEqual(['a.txt', 'b.txt', 'loop.json'])
    expect(existsSync(outside)).toBe(false)
    const notes = ok(run('jwz', ['read', 'note', '--json'], { cwd: at.root, env: at.env })).stdout
    expect(notes).toContain('"seen mine ')
    expect(
      notes +
        readFileSync(
          join(at.root, '.jwz/topics/loop', 'run', readdirSync(join(at.root, '.jwz/topics/loop/run'))[0] ?? ''),
          'utf8',
        ),
    ).not.toContain('sekret')
  })

  itWith(need, 'is asked for by loop.json at once, without trust; a task is confined where it is', () => {
    const root = tempRepo({ 'loop.json': '{"sandbox":true}' })
    const outside = tempFolder('outside')
    const runner = `cat >/dev/null; (echo x >${outside}/x) 2>/dev/null; echo y >y.txt; git add y.txt; git commit --quiet -m mine`
    ok(run('loop', ['run', 'do it', '--with', runner, '--check', 'test -f y.txt'], { cwd: root }))
    expect(existsSync(join(outside, 'x'))).toBe(false)
    expect(git(root, 'log', '-1', '--format=%s')).toBe('mine')
    ok(
      run('loop', ['run', '--once', 'again', '--with', `cat >/dev/null; touch ${outside}/x; true`, '--check', 'true'], {
        cwd: root,
      }),
    )
    expect(existsSync(join(outside, 'x'))).toBe(false)
  })

  it('is exit 8 before anything is claimed, where the machine has none', () => {
    const at = place()
    const id = at.issue('x')
    const bin = tempFolder('bin')
    script(join(bin, 'bwrap'), "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    const args = ['run', '--issues', '--sandbox', '--with', `touch ${at.home}/ran`, '--verify', 'true']
    const done = run('loop', args, { cwd: at.root, env: { ...at.env, PATH: [bin, toolPath()].join(delimiter) } })
    expect(done).toMatchObject({ code: 8, stdout: '' })
    expect(done.stderr).toContain(
      'the kernel refuses namespaces to bwrap: No permissions to create new namespace; let it',
    )
    expect([existsSync(join(at.home, 'ran')), show(at.root, id).claim]).toEqual([false, null])
    const alone = at.loop('run', '--issues', '--no-network', '--with', 'true', '--verify', 'true')
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('expected --no-network with --sandbox') })
  })
})
