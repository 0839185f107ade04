import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { ok, placeAt, withoutAgents } from './place.ts'

describe('a landing that another machine queued', () => {
  it('is listed as such and moved by nothing; drop forgets it, and its branch stays', () => {
    const mark = join(tempFolder('pwned'), 'mark')
    const folder = tempFolder('theirs')
    git(folder, 'clone', '-q', '--bare', tempRepo({ 'f.txt': 'f\n' }), 'origin.git')
    git(folder, 'clone', '-q', 'origin.git', 'clone')
    const root = join(folder, 'clone')
    git(root, 'config', 'user.name', 'Tester')
    git(root, 'config', 'user.email', 'tester@example.invalid')
    const at = placeAt(root)
    renameSync(join(folder, 'origin.git'), join(folder, 'away'))
    const id = at.issue('x')
    const agent = at.agent('agent', 'echo x > x.txt')
    at.loop('run', '--issues', '--with', agent, '--verify', `test ! -e ${folder}/armed || touch ${mark}`, '--push')
    expect(ok(at.loop('queue', 'list')).stdout).toMatch(new RegExp(`^${id}  queued  loop/issue/[^ ]*  origin cannot`))
    writeFileSync(join(folder, 'armed'), '')
    renameSync(join(folder, 'away'), join(folder, 'origin.git'))

    // A copy in another place, and this one for who has another key.
    cpSync(root, `${root}-copy`, { recursive: true })
    for (const [cwd, env] of [
      [`${root}-copy`, {}],
      [root, { XDG_STATE_HOME: tempFolder('other') }],
    ] as const) {
      const loop = (...args: string[]) => run('loop', args, { cwd, env })
      const doctor = (...args: string[]) =>
        run('loop', ['doctor', ...args], { cwd, env: { ...withoutAgents(), ...env } })
      git(cwd, 'merge', '-q', 'HEAD', ...git(cwd, 'for-each-ref', '--format=%(refname)', 'refs/heads/loop').split('\n'))
      const tips = git(cwd, 'for-each-ref')
      const [listed] = JSON.parse(ok(loop('queue', 'list', '--json')).stdout)
      expect(listed).toMatchObject({ issue: id, made_here: false })
      expect(ok(loop('queue', 'list')).stdout).toContain('  not of this machine  ')
      const no = `${listed.slug} was not queued on this machine, its entry is no order here; `
      expect(loop('land')).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(no) })
      // Its entry is no order either where the change is named.
      expect(loop('land', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('expected a verify command') })
      expect(doctor('--fix').stdout).not.toContain(listed.branch)
      // One that names a file elsewhere is no entry.
      const queue = join(cwd, '.git/loop/queue')
      const away = { ...JSON.parse(readFileSync(join(queue, `${listed.slug}.json`), 'utf8')), slug: '../../config' }
      writeFileSync(join(cwd, '.git/config.json'), 'kept')
      writeFileSync(join(queue, 'a.json'), JSON.stringify(away))
      expect(JSON.parse(ok(loop('queue', 'list', '--json')).stdout)).toHaveLength(1)
      expect(JSON.parse(ok(loop('queue', 'drop', id, '--json')).stdout)).toMatchObject([{ issue: id, salvage: null }])
      expect(readdirSync(queue)).toEqual(['a.json'])
      expect(readFileSync(join(cwd, '.git/config.json'), 'utf8')).toBe('kept')
      expect(git(cwd, 'for-each-ref')).toBe(tips)
    }
    expect(existsSync(mark)).toBe(false)
  })
})
