import { describe, expect, it } from 'vitest'
import { sessions, until } from './sessions.ts'

describe('scope logs', () => {
  it('prints what happened, by kind and by time', () => {
    const at = sessions()
    const id = at.spawn('Work', '--id', 'worker')
    at.wait(id)
    const all = JSON.parse(at.scope(['logs', 'worker', '--json']).stdout)
    expect(all).toEqual(at.events(id))
    const kinds = ['logs', id, '--event', 'done', '--event', 'created']
    expect(JSON.parse(at.scope([...kinds, '--json']).stdout).map(({ event }: { event: string }) => event)).toEqual([
      'created',
      'done',
    ])
    expect(at.scope(['logs', id, '--since', '1h', '--quiet']).stdout.trim().split('\n')).toHaveLength(all.length)
    expect(at.scope(['logs', id, '--since', '0ms']).stdout).toBe('')
    expect(at.scope(['logs', id, '--since', 'soon'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('with --follow prints what was and what comes, each once, until it is ended', async () => {
    const at = sessions({ act: 'while [ ! -e go ]; do sleep 0.05; done' })
    const id = at.spawn('Work')
    await until(() => at.hasHeard(id), 'the agent to run')
    const following = at.start(['logs', id, '--follow', '--json'])
    await following.waitFor(/"submitted"/)
    at.write('go', '')
    await following.waitFor(/"done"/)
    following.child.kill('SIGTERM')
    const { stdout } = await following.done
    const lines = stdout.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(at.events(id))
  })
})
