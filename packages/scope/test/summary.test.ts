import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { homeWithTranscript } from './home.ts'
import { sessions, until } from './sessions.ts'

const forEver = 'while :; do sleep 1; done'

const edit = (file_path: string) => ({ name: 'Edit', input: { file_path, old_string: 'a', new_string: 'b' } })

describe('what an agent did, in numbers', () => {
  it('is told by poll --trajectory, for scripts and for people, also where it is hostile', () => {
    const odd = { name: `__proto__`, input: {} }
    const uses = [edit('/a/x.ts'), edit('/a/x.ts'), edit('/b/x.ts'), { name: 'Bash', input: { command: 'ls' } }, odd]
    const many = [...Array(300).keys()].map((number) => ({ name: `Tool${number}\n\u001b[2J`, input: {} }))
    const at = sessions({ env: { HOME: homeWithTranscript([...uses, ...many]) } })
    const id = at.spawn('Mend it')
    expect(at.wait(id).code).toBe(0)
    expect(at.poll(id)).not.toHaveProperty('trajectory')
    const { trajectory } = JSON.parse(at.scope(['poll', id, '--trajectory']).stdout)
    expect(trajectory).toMatchObject({ prompts: 1, tool_calls: 305, files_written: 2, tools: { Edit: 3, Bash: 1 } })
    const names = Object.keys(trajectory.tools)
    expect([names.length, names.some((name) => /[\n\u001b]/.test(name))]).toEqual([100, false])
    expect(at.scope(['poll', id, '--trajectory', '--text']).stdout).toContain('did       305 tools (Edit 3, Bash 1,')
  })

  it('is null where there is no transcript', () => {
    const at = sessions({ env: { HOME: tempFolder('home') } })
    const id = at.spawn('Look')
    at.wait(id)
    expect(JSON.parse(at.scope(['poll', id, '--trajectory']).stdout).trajectory).toBeNull()
  })
})

describe('scope wait --summary', () => {
  it('is a line each from what is known, by how the session ended', () => {
    const at = sessions({ env: { HOME: homeWithTranscript([edit('/a/x.ts')]) }, text: '\n  Mended | it.\nAnd more.' })
    at.spawn('Work', '--id', 'worker')
    at.spawn('Loop', '--checker', 'true')
    at.wait('0', '1')
    at.agent('exit 3')
    at.spawn('Fail')
    const { code, stdout, stderr } = at.scope(['wait', '0', '1', '2', '--summary'])
    expect([code, stdout]).toEqual([
      1,
      [
        'PASS | worker (0) | Mended | it. | files_written=1 | gates=-',
        'PASS | 1 | Mended | it. | files_written=1 | gates=1/1',
        'FAIL | 2 | exit code 3: claude ended with exit code 3 and said nothing | files_written=- | gates=-',
        '',
      ].join('\n'),
    ])
    expect(stderr).toContain('session 2 is failed')
    const { results } = JSON.parse(at.scope(['wait', '0', '--summary', '--json']).stdout)
    expect(results[0].trajectory).toMatchObject({ files_written: 1, tools: { Edit: 1 } })
    expect(at.scope(['wait', '0', '--summary', '--text'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('says of a session that is not over that it is open', async () => {
    const at = sessions({ act: forEver })
    const id = at.spawn('Long')
    await until(() => at.hasHeard(id), 'the agent to run')
    const { code, stdout } = at.scope(['wait', id, '--summary', '--timeout', '100ms'])
    expect([code, stdout]).toEqual([124, 'OPEN | 0 | Long | files_written=- | gates=-\n'])
    at.scope(['abort', id])
  })
})

describe('scope wait --all-children', () => {
  it('waits for what a session has started; in a session without its id', () => {
    const at = sessions()
    at.agent(
      `case $SCOPE_SESSION_ID in 0) scope spawn One; scope spawn Two; scope wait --all-children --quiet >waited ;; esac`,
    )
    const id = at.spawn('Parent')
    expect(at.wait(id).code).toBe(0)
    expect(at.scope(['wait', id, '--all-children', '--text']).stdout).toBe(
      '[0.0] done\nDone as told.\n[0.1] done\nDone as told.\n',
    )
    expect(at.has('waited')).toBe(true)
    expect(at.scope(['wait', '0.0', '--all-children'])).toMatchObject({
      ...{ code: 3, stdout: '' },
      stderr: 'scope: nothing was started by session 0.0; scope list --all\n',
    })
    expect(at.scope(['wait', '--all-children'])).toMatchObject({ code: 2, stdout: '' })
  })
})
