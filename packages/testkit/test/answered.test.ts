import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answeredPath, cleanEnv, full, run, runAlone, tempRepo } from '../src/index.ts'

const env = cleanEnv({ PATH: answeredPath(), JWZ_AGENT: 'ada' })
const answered = (cwd: string, args: readonly string[], input?: string) => {
  const { status, stdout, stderr } = spawnSync('tissue', args, { cwd, env, encoding: 'utf8', input: input ?? '' })
  return { code: status, stdout, stderr }
}

describe('the process that answers for what a run calls', () => {
  it('gives what a process of its own gives: words, folder, environment, stdin, and how it ended', () => {
    const root = tempRepo()
    const id = run('tissue', ['new', 'x', '--quiet'], { cwd: root }).stdout.trim()
    expect(answered(root, ['claim', id, '--json']).stdout).toContain('"by":"ada"')
    expect(answered(root, ['comment', id, '-'], 'of two\nlines ü').code).toBe(0)
    for (const args of [['show', id, '--json'], ['show', 'none', '--json'], ['list', '--nonsense'], ['--version']]) {
      const { code, stdout, stderr } = runAlone('tissue', args, { cwd: root })
      expect(answered(root, args)).toEqual({ code, stdout, stderr })
    }
    expect(JSON.parse(answered(root, ['show', id, '--json']).stdout).comments[0].body).toBe('of two\nlines ü')
    // A verb that it is not asked for is a process of its own.
    expect(answered(root, ['search', 'x', '--quiet']).stdout).toBe(`${id}\n`)
  })

  it('answers one after the other, and goes on when one was killed that had asked', async () => {
    const root = tempRepo()
    const ids = ['a', 'b', 'c', 'd'].map((title) =>
      run('tissue', ['new', title, '--quiet'], { cwd: root }).stdout.trim(),
    )
    const killed = spawn('tissue', ['list'], { cwd: root, env, stdio: 'ignore' })
    const ended = new Promise((done) => killed.once('exit', done))
    killed.kill('SIGKILL')
    await ended
    const folder = answeredPath().split(delimiter)[0] ?? ''
    if (!full) writeFileSync(join(folder, 'ask'), '4194305\n')
    const line = ids.map((id) => `tissue show ${id} --quiet >${id} & `).join('')
    expect(spawnSync('sh', ['-c', `${line}wait`], { cwd: root, env }).status).toBe(0)
    expect(ids.map((id) => readFileSync(join(root, id), 'utf8'))).toEqual(ids.map((id) => `${id}\n`))
    // Where nobody answers any more, each is a process of its own.
    if (!full) writeFileSync(join(folder, 'pid'), '4194305\n')
    expect(answered(root, ['show', ids[0] ?? '', '--quiet']).stdout).toBe(`${ids[0]}\n`)
  })
})
