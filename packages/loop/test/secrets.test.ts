// No secret that a runner or a check prints gets where others read it: the tracker, which is committed, and the bus.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { run, script, tempFolder, toolPath } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { task } from './hook-fixture.ts'
import { ok, place, show } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

/** All that is kept in the stores of a repository, as it lies on the disk and as it was before it became JSON. */
function kept(root: string): string {
  const files = ['.tissue', '.jwz'].flatMap((store) =>
    readdirSync(join(root, store), { recursive: true, encoding: 'utf8' }).map((name) => join(root, store, name)),
  )
  const texts = files.filter((path) => statSync(path).isFile()).map((path) => readFileSync(path, 'utf8'))
  return [...texts, ...texts.map((text) => text.replace(/\\(["\\])/g, '$1'))].join('\n')
}

const forms = ['sk-ant-api03-AbCdEfGhIjKlMnOp', `ghp_${'a1B2'.repeat(9)}`, 'AKIAIOSFODNN7EXAMPLE']
const printAll = (names: readonly string[]) => names.map((name) => `"$${name}"`).join(' ')

describe('a run whose runner and verify command print all secrets', () => {
  const value = fc.stringMatching(/^[!-~]{8,60}$/)
  const samples = fc.sample(fc.tuple(value, value, value), { numRuns: 2, seed: 7 })

  it.each(samples)('keeps none of them, wherever an output is cut (%#)', (...values) => {
    const at = place()
    const id = at.issue('one')
    const names = ['A_KEY', 'B_TOKEN', 'MY_PASSWORD_1']
    const env = Object.fromEntries(names.map((name, index) => [name, values[index]]))
    const fill = (lines: number) =>
      `i=0; while [ $i -lt ${lines} ]; do echo "$i" ${printAll(names)} ${forms.join(' ')}; i=$((i+1)); done`
    const agent = at.agent(
      'leak',
      `jwz post "$LOOP_NOTES" -q -m note >/dev/null; ${fill(40)}; echo $LOOP_ITERATION > "$title"; exit $((LOOP_ITERATION % 2))`,
    )
    script(join(at.agents, 'check'), `#!/bin/sh\n${fill(50)}\nexit 1\n`)
    const verify = `X_SECRET=${forms[0]} ${join(at.agents, 'check')}`
    const finished = run('loop', ['run', '--issues', '--max-iterations', '3', '--with', agent, '--verify', verify], {
      cwd: at.root,
      env,
    })
    expect(finished.code).toBe(9)
    expect(show(at.root, id).comments.at(-1)?.body).toContain('[secret]')
    expect(run('loop', ['status'], { cwd: at.root, env }).stdout).toContain('[secret]')
    const text = kept(at.root) + finished.stdout
    for (const secret of [...values, ...forms]) expect(text.includes(secret)).toBe(false)
    for (const secret of values.filter((one) => one.length > 30)) expect(text.includes(secret.slice(-20))).toBe(false)
  })
})

it('keeps none of what an agent answers, of a task, of a command line, and of an opinion', () => {
  const at = place()
  const bin = tempFolder('bin')
  const secret = 'hush "quoted" \\ and long'
  const result = JSON.stringify({
    type: 'result',
    result: `${secret}\n<loop-done>stuck: ${secret}</loop-done>`,
    session_id: 's',
  })
  script(join(bin, 'claude'), `#!/bin/sh\ncat > /dev/null\ncat <<'END'\n${result}\nEND\n`)
  const env = { PATH: `${bin}:${toolPath()}`, THE_TOKEN: secret }
  const task = run('loop', ['run', `use ${secret}`, '--with', 'claude', '--check', 'API_KEY=abcdefgh true'], {
    cwd: at.root,
    env,
  })
  expect([task.code, task.stdout]).toEqual([9, expect.stringMatching(/^task {2}stuck {2}.*: \[secret\]\n$/)])
  const issue = at.issue('one')
  ok(
    run('loop', ['ask', 'what?', '--with', 'echo "$THE_TOKEN"', '--quiet'], {
      cwd: at.root,
      env: { ...env, LOOP_ISSUE: issue },
    }),
  )
  const text = kept(at.root)
  expect(text).not.toContain(secret)
  expect(text).not.toContain('abcdefgh')
})

it('keeps none of what reviewers say: one that it started, one that posts it, the subagent of a session', () => {
  const secret = 'hunter2hunter2'
  const env = { THE_TOKEN: secret }
  const at = place({
    'loop.json': JSON.stringify({
      review: true,
      reviewer:
        'if test -e said; then echo "again $THE_TOKEN"; echo CHANGES; else loop review post changes -m "not $THE_TOKEN" >/dev/null; fi',
    }),
  })
  const id = at.issue('one')
  const agent = at.agent('x', 'echo "$LOOP_ITERATION" >said.txt; test "$LOOP_ITERATION" = 1 || touch said')
  const run1 = ['run', '--issues', '--max-iterations', '2', '--with', agent, '--verify', 'true']
  expect(run('loop', run1, { cwd: at.root, env }).code).toBe(9)
  const bound = task(at.root, 'claude')
  ok(
    run('loop', ['ask', 'Sound?', '--with', `echo fine # ${secret}`], {
      cwd: at.root,
      env: { ...env, LOOP_RUN_ID: bound.run },
    }),
  )
  const last_assistant_message = `x.ts:1 has ${secret} in it\nCHANGES`
  bound.hook('claude-subagent-stop', { agent_type: 'loop:reviewer', agent_id: 'a1', last_assistant_message, env })
  const text = kept(at.root)
  for (const told of ['not [secret]', 'again [secret]', 'x.ts:1 has [secret] in it', 'echo fine # [secret]'])
    expect(text).toContain(told)
  expect(text).not.toContain('hunter2')
  expect(show(at.root, id).comments.at(-1)?.body).toContain('[secret]')
})

describe('a session', () => {
  const at = place()
  const env = { THE_TOKEN: 'hunter2hunter2' }
  at.issue('one')

  it('keeps none of what its agent says or its check prints', () => {
    const { loop, stop } = sessionAt(at, 's-1', env)
    ok(loop('start', 'use hunter2hunter2', '--check', 'echo "$THE_TOKEN"; false'))
    const told = answered(stop(`${'x'.repeat(490)} hunter2hunter2\n<loop-done>done</loop-done>`)).block
    expect(told).toContain('exited with 1: [secret]')
    expect(kept(at.root)).not.toContain('hunter2')
  })

  it.each([
    ['deploy --token abcdefgh'],
    ['db -u ada -p hunter3'],
    ['API_KEY=abcdefgh npm test'],
    ['curl https://ada:hunter3@host'],
    ['echo hunter2hunter2'],
  ])('does not put the command %s on the bus', (command) => {
    const refused = sessionAt(at, 's-2', env).loop('start', 'x', '--check', command)
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toContain('[secret]')
    expect(kept(at.root)).not.toMatch(/hunter3|abcdefgh/)
  })

  it('hears none in a reason of the guard', () => {
    const command =
      'mysql -phunter2 -e "drop database x" && git push --force https://a:hunter3@host main && echo hunter2hunter2'
    const judged = run('loop', ['hook', '--host', 'claude'], {
      ...{ cwd: at.root, env },
      input: JSON.stringify({
        session_id: 'x',
        cwd: at.root,
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command },
      }),
    })
    expect(judged.code).toBe(0)
    expect(judged.stdout).toMatch(/deny|ask/)
    expect(judged.stdout).not.toMatch(/hunter/)
  })
})
