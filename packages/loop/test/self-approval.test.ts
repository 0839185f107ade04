import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanEnv, git, run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { input } from './hook-fixture.ts'
import { landedIds, ok, place, read, results, show, write } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

const refused = 'loop: expected a review by somebody else than who does the work'

/** A worker that commits, then tries what is given; each try leaves its name, its exit code and its words in a log. */
function tries(commands: Readonly<Record<string, string>>): { text: string; names: string[] } {
  const names = Object.keys(commands)
  const each = Object.entries(commands).map(
    ([name, command]) => `{ ${command}; } >"$log.one" 2>&1; echo "${name} $? $(cat "$log.one")" >>"$log"`,
  )
  return { text: `echo 1 >x.txt; git add x.txt; git commit -qm work\n${each.join('\n')}`, names }
}

const bare = `env -i PATH="$PATH" HOME="$HOME" XDG_STATE_HOME="$XDG_STATE_HOME" JWZ_STORE="$JWZ_STORE"`

describe('the author of a change', () => {
  it('opens the gate in no way that it has from its own processes', () => {
    const at = place({ 'a.txt': 'one\n', 'loop.json': '{"review":true,"base":"main"}' })
    const id = at.issue('x')
    const post = `loop review post lgtm ${id} --sha $(git rev-parse HEAD)`
    const data = `{\\"type\\":\\"review\\",\\"v\\":1,\\"verdict\\":\\"lgtm\\",\\"sha\\":\\"$(git rev-parse HEAD)\\",\\"change\\":null,\\"issue\\":\\"${id}\\",\\"run\\":\\"$LOOP_RUN_ID\\",\\"by\\":\\"bob\\",\\"note\\":\\"\\",\\"second_opinions\\":[],\\"origin\\":\\"person\\",\\"at\\":9999999999999,\\"signature\\":\\"$(printf 'f%.0s' $(seq 64))\\"}`
    const without = 'env -u LOOP_RUN_ID -u LOOP_ISSUE -u LOOP_WORKTREE -u JWZ_AGENT'
    const { text, names } = tries({
      plain: post,
      byName: `${post} --by bob`,
      asAgent: `JWZ_AGENT=carl ${post}`,
      unset: `${without} ${post} --by bob`,
      fromRoot: `sha=$(git rev-parse HEAD); cd ${at.root} && ${bare} loop review post lgtm ${id} --sha $sha --by bob`,
      otherSession: `sha=$(git rev-parse HEAD); cd ${at.root} && ${bare} CLAUDE_CODE_SESSION_ID=made-up loop review post lgtm ${id} --sha $sha --by bob`,
      daemon: `sha=$(git rev-parse HEAD); cd ${at.root} && ${bare} setsid -f sh -c 'loop review post lgtm ${id} --sha '$sha' --by bob; echo $? >${at.agents}/daemon' && while ! test -s ${at.agents}/daemon; do sleep 0.05; done; (exit $(cat ${at.agents}/daemon))`,
      token: `LOOP_REVIEWER=made-up ${post} --by bob >/dev/null; loop review status --quiet`,
      posted: `jwz post issue:${id} --as bob -m x --data "${data}" >/dev/null; loop review status --quiet`,
      line: `printf '{"v":1,"id":"01KAAAAAAAAAAAAAAAAAAAAAAA","topic":"issue:${id}","from":"bob","at":9999999999999,"body":"x","data":%s}\\n' "${data}" >>"$JWZ_STORE/topics/issue/${id}.jsonl"; loop review status --quiet`,
      status: 'loop review status --quiet',
    })
    const agent = at.agent('x', `log=${at.agents}/log\n${text}`)
    const finished = at.loop('run', '--issues', '--with', agent, '--verify', 'true', '--max-iterations', '1', '--jsonl')
    expect(results(finished)[id]).toMatchObject({ outcome: 'gave-up' })
    const said = read(at.agents, 'log')
      .split('\n')
      .filter((line) => /^\w+ \d+ /.test(line))
    expect(said.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(
      names.map((name) => `${name} ${['token', 'posted', 'line', 'status'].includes(name) ? 1 : 5}`),
    )
    for (const line of said.slice(0, 6)) expect(line).toContain(refused)
    for (const line of said.slice(7)) expect(line).toMatch(/ missing$/)
    expect(read(at.agents, 'log')).not.toContain('--by')
    expect([landedIds(at.root), finished.stderr.includes('loop review post')]).toEqual([[], false])
  })

  it('is not heard where a reviewer is set: that one is asked, and what it says counts', () => {
    const at = place({
      'a.txt': 'one\n',
      'loop.json': JSON.stringify({ review: true, base: 'main', reviewer: 'echo "x.txt says nothing"; echo CHANGES' }),
    })
    const id = at.issue('x')
    const { text } = tries({ byName: `loop review post lgtm ${id} --by bob` })
    const agent = at.agent(
      'x',
      `log=${at.agents}/log\n${text}\nprintf '%s' "$prompt" >${at.agents}/prompt; date +%N >y.txt`,
    )
    const finished = at.loop('run', '--issues', '--with', agent, '--verify', 'true', '--max-iterations', '2', '--jsonl')
    expect([results(finished)[id]?.outcome, landedIds(at.root)]).toEqual(['gave-up', []])
    expect(read(at.agents, 'prompt')).toContain('x.txt says nothing')
  })
})

describe('somebody else', () => {
  it('at a terminal, or in a session of its own, approves what a run is at work on', async () => {
    const at = place({ 'a.txt': 'one\n', 'loop.json': '{"review":true,"base":"main"}' })
    const [go, waiting] = [join(at.agents, 'go'), join(at.agents, 'waiting')]
    const agent = at.agent(
      'x',
      `if [ "$LOOP_ITERATION" = 1 ]; then echo "$LOOP_ISSUE" >x.txt; exit 0; fi; : >${waiting}; while ! test -e ${go}; do sleep 0.05; done; rm ${waiting} ${go}`,
    )
    const byTerminal = (id: string) => {
      const command = `loop review post lgtm ${id} --by ada`
      const told = spawnSync('script', ['-qec', command, '/dev/null'], {
        cwd: at.root,
        env: cleanEnv(),
        encoding: 'utf8',
      })
      return { code: told.status, stderr: told.stdout }
    }
    const bySession = (id: string) => {
      const env = { CLAUDE_CODE_SESSION_ID: 'another' }
      return run('loop', ['review', 'post', 'lgtm', id, '--by', 'ada'], { cwd: at.root, env })
    }
    for (const post of [byTerminal, bySession]) {
      const id = at.issue('x')
      const started = at.start(
        'run',
        '--issue',
        id,
        '--with',
        agent,
        '--verify',
        'true',
        '--max-iterations',
        '3',
        '--jsonl',
      )
      while (!existsSync(waiting)) await sleep(20)
      const nobody = run('loop', ['review', 'post', 'lgtm', id, '--by', 'ada'], { cwd: at.root })
      expect([nobody.code, nobody.stderr]).toEqual([
        existsSync('/dev/tty') && isInTerminal() ? 0 : 5,
        expect.stringContaining(isInTerminal() ? '' : 'expected a person at a terminal'),
      ])
      expect(post(id)).toMatchObject({ code: 0 })
      writeFileSync(go, '')
      expect(results(await started.done)[id]).toMatchObject({ outcome: 'landed' })
    }
  })
})

/** Whether the tests themselves are run at a terminal. */
const isInTerminal = () => spawnSync('sh', ['-c', ': </dev/tty'], { stdio: 'ignore' }).status === 0

describe('the agent of a session', () => {
  const done = '<loop-done>done</loop-done>'

  /** A session with an issue whose change is committed. */
  function working() {
    const at = place({ 'a.txt': 'one\n', 'loop.json': '{"review":true,"base":"main"}' })
    const session = sessionAt(at, 's-1')
    const id = at.issue('x')
    ok(session.loop('start', '--issue', id, '--verify', 'true'))
    const worktree =
      git(at.root, 'worktree', 'list', '--porcelain')
        .split('\n')
        .filter((line) => line.startsWith('worktree '))
        .at(-1)
        ?.slice(9) ?? ''
    write(worktree, 'b.txt', 'x\n')
    git(worktree, 'add', '.')
    git(worktree, 'commit', '-qm', 'Work')
    return { at, session, id, worktree }
  }

  it('does not approve its work, under no name and out of no shell; another session does', () => {
    const { at, session, id } = working()
    const post = (...args: string[]) => session.loop('review', 'post', 'lgtm', id, ...args)
    for (const args of [[], ['--by', 'reviewer'], ['--by', 'reviewer2']]) {
      expect(post(...args)).toMatchObject({ code: 5, stdout: '', stderr: `${refused}\n` })
    }
    const shell = spawnSync(
      'sh',
      ['-c', `env -u CLAUDE_CODE_SESSION_ID loop review post lgtm ${id} --by bob; exit $?`],
      {
        ...{ cwd: at.root, env: cleanEnv({ CLAUDE_CODE_SESSION_ID: 's-1' }), encoding: 'utf8' },
      },
    )
    expect([shell.status, shell.stderr]).toEqual([5, `${refused}\n`])
    const asked = answered(session.stop(done)).block
    expect(asked).toContain('Somebody else has to look at')
    expect(asked).not.toContain('loop review post')
    ok(run('loop', ['review', 'post', 'lgtm', id, '--by', 'bea'], { cwd: at.root, env: { CODEX_THREAD_ID: 'c-1' } }))
    expect(answered(session.stop(done)).warning).toContain('is landed on main')
  })

  it('has it approved by its reviewer, whose end the host tells', () => {
    const { at, session, id } = working()
    ok(session.loop('ask', 'Sound?', '--with', 'echo yes'))
    const said = input('claude-subagent-stop', at.root, {
      ...{ session_id: 's-1', agent_type: 'loop:reviewer', last_assistant_message: 'All of it is sound.\n\nLGTM' },
    })
    ok(run('loop', ['hook', '--host', 'claude'], { cwd: at.root, input: said }))
    expect(answered(session.stop(done)).warning).toContain('is landed on main')
    expect(show(at.root, id).status).toBe('closed')
    const topic = readFileSync(join(at.root, '.jwz', 'topics', 'issue', `${id}.jsonl`), 'utf8')
    expect(topic).toContain('"origin":"subagent"')
  })
})
