import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, stopped } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { isGone, sessions, until } from './sessions.ts'

const forEver = 'while :; do sleep 1; done'

describe('scope exit', () => {
  it('from any depth and iteration reaches the loop with its reason, whatever is said later; nothing goes on', async () => {
    const at = sessions()
    at.agent(`case $SCOPE_SESSION_ID in
      0-1-do) scope spawn Below; ${forEver} ;;
      0-1-do.0) scope spawn Deepest; ${forEver} ;;
      0-1-do.0.0) scope exit "The API has no such call"; echo said >said ;;
      esac`)
    const { code, stderr } = at.scope(['spawn', 'Try', '--checker', 'false', '--wait'])
    expect([code, stderr]).toEqual([5, 'scope: session 0 is exited: The API has no such call\n'])
    const reasons = ['0', '0-1-do', '0-1-do.0', '0-1-do.0.0'].map((id) => [at.poll(id).status, at.poll(id).exit_reason])
    expect(reasons).toEqual(reasons.map(() => ['exited', 'The API has no such call']))
    expect(at.poll('0').loop).toMatchObject({ iteration: 1, verdict: 'retry' })
    await until(() => ['0-1-do', '0-1-do.0'].every((id) => isGone(Number(at.heard(id, 'pid')))), 'the agents to end')
    await until(() => !at.poll('0').alive, 'the loop to end')
    // The one who said it has ended its turn, and its answer came after that.
    await until(() => at.events('0-1-do.0.0').some(({ event }) => event === 'result'), 'the answer')
    expect(readFileSync(join(at.root, 'said'), 'utf8')).toBe('said\n')
    expect([at.file('0-1-do.0.0', 'state'), at.file('0', 'state')]).toEqual(['exited\n', 'exited\n'])
    expect(at.poll('0').children).toEqual(['0-0-do', '0-1-do'])
  })

  it('with --scope session ends this one alone: for a loop it was a try that gave up', () => {
    const at = sessions()
    at.agent('case $SCOPE_SESSION_ID in *-0-do) scope exit "I have no access" --scope session ;; esac')
    expect(at.scope(['spawn', 'Try', '--checker', 'true', '--wait']).code).toBe(0)
    expect([at.poll('0-0-do').status, at.poll('0').loop?.iteration]).toEqual(['exited', 1])
    expect(at.heard('0-1-do', 'prompt')).toContain('The agent before you gave up: I have no access')
  })

  it('with --scope loop ends the nearest loop, and leaves the one around it', () => {
    const at = sessions()
    at.agent(`case $SCOPE_SESSION_ID in
      0-0-do) scope spawn Inner --checker false --wait; echo $? >inner ;;
      0-0-do.0-0-do) scope exit "Not here" --scope loop ;;
      esac`)
    expect(at.scope(['spawn', 'Outer', '--checker', 'test -e inner', '--wait']).code).toBe(0)
    expect([
      at.poll('0-0-do.0').status,
      at.poll('0-0-do').status,
      readFileSync(join(at.root, 'inner'), 'utf8'),
    ]).toEqual(['exited', 'done', '5\n'])
  })

  it('without it ends every loop around', () => {
    const at = sessions()
    at.agent(`case $SCOPE_SESSION_ID in
      0-0-do) scope spawn Inner --checker false --wait ;;
      0-0-do.0-0-do) scope exit "Nowhere" ;;
      esac`)
    expect(at.scope(['spawn', 'Outer', '--checker', 'true', '--wait']).code).toBe(5)
    expect(['0', '0-0-do', '0-0-do.0'].map((id) => at.poll(id).status)).toEqual(['exited', 'exited', 'exited'])
  })

  it('is said of all of them in one piece: none ends well meanwhile because one below it has ended', async () => {
    const at = sessions()
    at.agent(`case $SCOPE_SESSION_ID in
      0-0-do) scope spawn Inner --checker false --wait ;;
      0-0-do.0-0-do) exits ;;
      esac`)
    const fault = faultEnv({ call: 'mkdirSync', nth: 1, action: 'stop', match: 'sessions/0-0-do/events.jsonl.lock' })
    const set = Object.entries(fault).map(([name, value]) => `${name}='${value}'`)
    at.script('exits', `echo $$ >pid.new; mv pid.new pid; ${set.join(' ')} exec scope exit Nowhere`)
    const id = at.spawn('Outer', '--checker', 'true')
    await until(() => at.has('pid'), 'the deepest to say it')
    const pid = Number(readFileSync(join(at.root, 'pid'), 'utf8'))
    await stopped(pid)
    const all = ['0-0-do.0-0-do', '0-0-do.0', '0-0-do', '0']
    expect(all.map((one) => at.poll(one).status)).toEqual(all.map(() => 'running'))
    process.kill(pid, 'SIGCONT')
    expect(at.wait(id).code).toBe(5)
    expect(all.map((one) => at.poll(one).status)).toEqual(all.map(() => 'exited'))
  })

  it('leaves a session that is no part of a loop to itself', () => {
    const at = sessions()
    at.agent('case $SCOPE_SESSION_ID in 0) scope spawn Child --wait; echo $? >child ;; *) scope exit Enough ;; esac')
    expect(at.scope(['spawn', 'Parent', '--wait']).code).toBe(0)
    expect([at.poll('0.0').status, readFileSync(join(at.root, 'child'), 'utf8')]).toEqual(['exited', '5\n'])
  })

  it('is taken back by resuming the loop, whose worker goes on', () => {
    const at = sessions()
    at.agent('[ -e clear ] || scope exit "The plan is missing"')
    expect(at.scope(['spawn', 'Try', '--checker', 'true', '--wait']).code).toBe(5)
    writeFileSync(join(at.root, 'clear'), '')
    expect(at.scope(['resume', '0']).code).toBe(0)
    expect([at.wait('0').code, at.poll('0').children]).toEqual([0, ['0-0-do']])
  })
})
