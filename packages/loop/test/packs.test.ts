import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

const env = { HOME: '/home/ada', GIT_CONFIG_GLOBAL: '/dev/null' }

function project(guard: unknown): string {
  const root = tempRepo({ 'a.txt': 'one\n', '.env': 'KEY=x\n', 'src/a.ts': '\n' })
  writeFileSync(join(root, 'loop.json'), JSON.stringify({ guard }))
  return root
}

describe('loop.json', () => {
  it('switches packs on, changes their rules, and has rules by words at any place', () => {
    const own = {
      id: 'own.vault',
      command: ['vault'],
      has: ['secrets', 'disable*'],
      decision: 'ask',
      reason: 'a person does',
    }
    const root = project({
      packs: ['strict-git', 'system'],
      rules: { 'strict-git.amend': 'off', 'system.open': 'deny' },
      add: [own],
    })
    const test = (command: string) => run('loop', ['guard', 'test', command, '-q'], { cwd: root, env })
    expect(test('git commit --amend')).toMatchObject({ code: 0, stdout: 'allow\n' })
    expect(test('git push origin main')).toMatchObject({ code: 1, stdout: 'deny\n' })
    expect(test('chmod 777 a.txt')).toMatchObject({ code: 1, stdout: 'deny\n' })
    expect(test('vault -address=https://v.invalid secrets disable kv')).toMatchObject({ code: 1, stdout: 'ask\n' })
    expect(test('vault secrets list').stdout).toBe('allow\n')
    const rules = run('loop', ['guard', 'rules'], { cwd: root, env }).stdout
    expect(rules).toMatch(/^system\.open +deny .*\(built in: ask\)$/m)
    expect(rules).toMatch(/^git\.no-verify +deny .*\(built in: allow\)$/m)
    expect(rules).not.toContain('secrets.read')
    const hooked = run('loop', ['hook'], {
      cwd: root,
      env,
      input: JSON.stringify({
        session_id: 's',
        hook_event_name: 'PreToolUse',
        cwd: root,
        tool_name: 'Bash',
        tool_input: { command: 'crontab -r' },
      }),
    })
    expect(hooked.stdout).toContain('(system.crontab)')
  })

  it('that names a pack which is none leaves the built-in rules, with a warning', () => {
    const root = project({ packs: ['everything'] })
    const { code, stderr } = run('loop', ['guard', 'test', 'git reset --hard'], { cwd: root, env })
    expect(code).toBe(1)
    expect(stderr).toContain('guard.packs')
  })
})
