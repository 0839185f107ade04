import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, outOfTime, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { isGone, kill, type Sessions, sessions, until } from './sessions.ts'

const worktrees = (at: Sessions) => [
  existsSync(join(at.root, '.worktrees', 'scope')) ? readdirSync(join(at.root, '.worktrees', 'scope')) : [],
  at.git('branch', '--list', 'scope/*', '--format=%(refname:short)').split('\n').filter(Boolean),
  at.inStore('worktrees').filter((name) => name.endsWith('.json')),
]

/** A repository that ignores `.env`, `local/` and `link`, and settings of the user. */
function withSettings(settings: Readonly<Record<string, string>>, act = '') {
  const at = sessions({ act })
  at.write('.gitignore', '.env\nlocal/\nlink\n')
  at.git('add', '--all')
  at.git('commit', '--quiet', '-m', 'Ignore')
  for (const [name, value] of Object.entries(settings))
    expect(at.scope(['config', `worktree.${name}`, value])).toMatchObject({ code: 0 })
  return { at, path: (id: string) => join(at.root, '.worktrees', 'scope', id) }
}

describe('a new worktree', () => {
  it('gets the files that the user names and git ignores, and then the set-up command, before its agent begins', () => {
    const { at, path } = withSettings(
      {
        copy: '[".env", "local/**", "link", "README.md", "none"]',
        setup: 'cat .env >made; echo "API_TOKEN=abcdefgh12345 said"',
      },
      'cat made >seen',
    )
    at.write('.env', 'KEY=1\n')
    mkdirSync(join(at.root, 'local'))
    writeFileSync(join(at.root, 'local', 'a'), 'a\n')
    const outside = join(tempFolder('outside'), 'secret')
    writeFileSync(outside, 'secret\n')
    symlinkSync(outside, join(at.root, 'link'))
    const id = at.spawn('Work', '--worktree')
    expect(at.wait(id).code).toBe(0)
    const text = (name: string) => readFileSync(join(path(id), name), 'utf8')
    expect([text('.env'), text('local/a'), text('seen')]).toEqual(['KEY=1\n', 'a\n', 'KEY=1\n'])
    expect([text('README.md'), existsSync(join(path(id), 'link'))]).toEqual(['A repository.\n', false])
    expect(at.file(id, 'setup.log').split('\n')).toEqual([
      'worktree.copy: link is a link that leads out',
      'worktree.copy: README.md names nothing that git ignores in the main tree',
      'worktree.copy: none names nothing that git ignores in the main tree',
      'API_TOKEN=[secret] said',
      '',
    ])
    const settings = JSON.parse(at.scope(['config', 'worktree', '--json']).stdout)
    expect(settings).toMatchObject([{ name: 'worktree.setup' }, { value: '10m' }, { name: 'worktree.copy' }])
  })

  it('whose set-up fails, or takes too long, is not made: exit 8, and its output is kept', () => {
    const { at } = withSettings({ setup: 'touch half; git commit -q --allow-empty -m Half; echo no network; exit 3' })
    const refused = at.scope(['spawn', 'Work', '--worktree'])
    expect([refused.code, refused.stdout]).toEqual([8, ''])
    expect(refused.stderr).toMatch(
      /worktree\.setup failed \(exit code 3\): no network; all that it said is in .*0\/setup\.log/,
    )
    expect(worktrees(at)).toEqual([[], ['scope/0'], []])
    expect([at.git('log', '-1', '--format=%s', 'scope/0'), at.file('0', 'setup.log')]).toEqual(['Half', 'no network\n'])
    at.scope(['config', 'worktree.setup', 'echo $$ >"$SCOPE_DIR/pid"; sleep 600'])
    const slow = (limit: string) => {
      at.scope(['config', 'worktree.setup_timeout', limit])
      return at.scope(['spawn', 'Work', '--worktree'])
    }
    expect(outOfTime(slow, () => at.inStore('').includes('pid') && at.has('.scope/pid'))).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/worktree\.setup did not end within \d+ ms/),
    })
    expect(isGone(Number(readFileSync(join(at.root, '.scope', 'pid'), 'utf8')))).toBe(true)
    expect([worktrees(at)[0], at.scope(['list', '--all', '--json']).stdout, at.live()]).toEqual([[], '[]\n', []])
    expect(at.scope(['config', 'worktree.copy', '.env'])).toMatchObject({ code: 2 })
    at.scope(['config', 'worktree.setup', 'echo fine'])
    at.scope(['config', 'worktree.copy', '["../.env"]'])
    expect(at.scope(['spawn', 'Work', '--worktree']).stderr).toContain(
      'expected worktree.copy to name files below the top',
    )
    expect(worktrees(at)[0]).toEqual([])
  })

  it('whose maker is killed during the set-up is cleared by the next call, with what the command runs', async () => {
    const { at } = withSettings({ setup: 'echo $$ >"$SCOPE_DIR/pid"; setsid sleep 600 & sleep 600' })
    const making = at.start(['spawn', 'Work', '--worktree'])
    await until(() => existsSync(join(at.root, '.scope', 'pid')), 'the set-up to run')
    await kill(making.child.pid ?? 0)
    const shell = Number(readFileSync(join(at.root, '.scope', 'pid'), 'utf8'))
    at.scope(['config', 'worktree.setup', 'echo fine'])
    at.wait(at.spawn('Next', '--worktree'))
    expect([worktrees(at), isGone(shell)]).toEqual([[['1'], ['scope/1'], ['1.json']], true])
  })

  it('that git was killed in the middle of is no work: the next call clears it, and resume makes it anew', async () => {
    const { at, path } = withSettings({}, 'echo one >a; git add a; echo two >b; sleep 0.1')
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8', env: cleanEnv() }).trim()
    const where = `w=$(${real} worktree list --porcelain | sed -n 's/^worktree //p' | tail -1); d=$(sed 's/gitdir: //' "$w/.git")`
    const halve = `rm -f "$d/index" "$w/README.md"; touch "$d/index.lock"; kill -9 $PPID; exit 137`
    const once = `[ ! -e ${at.bin}/armed ] || { rm ${at.bin}/armed; ${real} "$@"; ${where}; ${halve}; }`
    at.script('git', `case "$*" in *'worktree add'*) ${once} ;; esac\nexec ${real} "$@"`)
    const armed = () => writeFileSync(join(at.bin, 'armed'), '')
    armed()
    expect((await at.start(['spawn', 'Half', '--worktree']).done).signal).toBe('SIGKILL')
    expect(worktrees(at)[0]).toEqual(['0'])
    const id = at.spawn('Whole', '--worktree')
    expect([id, worktrees(at)]).toEqual(['1', [['1'], ['scope/1'], ['1.json']]])
    at.agent('[ -e a ] || { echo one >a; git add a; echo two >b; }; touch "$SCOPE_DIR/ready"; sleep 600')
    const other = at.spawn('Paused', '--worktree')
    await until(() => existsSync(join(at.root, '.scope', 'ready')), 'the agent to have worked')
    expect(at.scope(['pause', other]).code).toBe(0)
    armed()
    expect((await at.start(['resume', other]).done).signal).toBe('SIGKILL')
    expect(at.scope(['resume', other]).code).toBe(0)
    expect(at.git('-C', path(other), 'status', '--porcelain')).toBe('A  a\n?? b')
    expect(readFileSync(join(path(other), 'README.md'), 'utf8')).toBe('A repository.\n')
  })

  it('is what a phase of a workflow gets that asks for one, each try its own', () => {
    const { at, path } = withSettings({}, 'pwd >where')
    const phases = [
      {
        name: 'apart',
        task: 'A',
        worktree: true,
        branch: 'try',
        checker: 'test -e never',
        max_iterations: 1,
        on_fail: 'retry:1',
      },
    ]
    at.write('apart.json', JSON.stringify({ name: 'apart', phases }))
    at.git('add', '--all')
    at.git('commit', '--quiet', '-m', 'Workflow')
    expect(at.scope(['workflow', 'apart.json']).code).toBe(9)
    expect(at.poll('0')).toMatchObject({ worktree: path('0'), branch: 'try', base: 'main' })
    expect(at.poll('1')).toMatchObject({ worktree: path('1'), branch: 'try-1' })
    expect(readFileSync(join(path('1'), 'where'), 'utf8')).toBe(`${path('1')}\n`)
    at.write('base.json', JSON.stringify({ name: 'base', phases: [{ name: 'a', task: 'A', base: 'main' }] }))
    expect(at.scope(['workflow', 'base.json'])).toMatchObject({ code: 2, stderr: expect.stringContaining('worktree') })
  })
})
