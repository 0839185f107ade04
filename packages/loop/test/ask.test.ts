import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { outOfTime, run, script, start, tempFolder, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findEvidence } from '../src/review/evidence.ts'
import { givenOpinionSchema } from '../src/review/opinion-schema.ts'
import { isGone, ok, place, read, write } from './place.ts'

const opinions = (stdout: string) => z.array(givenOpinionSchema).parse(JSON.parse(stdout))

describe('loop ask', () => {
  it('asks all at once and prints what each answers', () => {
    const root = tempFolder('ask')
    const other = (mine: string, theirs: string) =>
      `touch ${mine}; while ! [ -e ${theirs} ]; do sleep 0.05; done; cat; echo ${mine}`
    const asked = run('loop', ['ask', 'Is it so?', '--with', other('a', 'b'), '--with', other('b', 'a')], { cwd: root })
    const [first, second] = [`# ${other('a', 'b')}\n\nIs it so?a\n\n`, `# ${other('b', 'a')}\n\nIs it so?b\n\n`]
    expect(asked).toEqual({
      code: 0,
      signal: null,
      stdout: first + second,
      stderr: 'not recorded: no work is under way here\n',
    })
    expect(existsSync(join(root, '.jwz'))).toBe(false)
  })

  it('calls an agent by its bare name, which may only look, with its hooks off', () => {
    const root = tempFolder('ask')
    const note = `printf '%s ' "$@" >argv; cat >stdin; echo "$LOOP_DEPTH $LOOP_DISABLE [$CLAUDECODE]" >env`
    script(
      join(root, 'bin', 'codex'),
      `#!/bin/sh\n${note}\necho '{"type":"item.completed","item":{"type":"agent_message","text":"Yes."}}'\n`,
    )
    const env = { PATH: [join(root, 'bin'), toolPath()].join(delimiter), CLAUDECODE: '1', LOOP_DEPTH: '1' }
    const asked = run('loop', ['ask', '--with', 'codex', '--json'], { cwd: root, env, input: '--why\r\n' })
    expect(opinions(asked.stdout)).toMatchObject([
      { with: 'codex', outcome: 'done', text: 'Yes.\n', exit_code: 0, id: null },
    ])
    expect(read(root, 'argv')).toBe('exec --json --skip-git-repo-check -c sandbox_mode="read-only" - ')
    expect([read(root, 'stdin'), read(root, 'env')]).toEqual(['--why\r\n', '2 1 []\n'])
  })

  it('exits 1 when some did not answer, 8 when none did, and says why', () => {
    const root = tempFolder('ask')
    const some = run('loop', ['ask', 'x', '--with', 'cat', '--with', 'echo no key >&2; exit 8', '--json'], {
      cwd: root,
    })
    expect(some.code).toBe(1)
    expect(opinions(some.stdout)).toMatchObject([
      { outcome: 'done' },
      { outcome: 'failed', exit_code: 8, error: 'no key' },
    ])
    const none = run('loop', ['ask', 'x', '--with', 'true', '--with', 'no-such-program', '--jsonl'], { cwd: root })
    expect(none.code).toBe(8)
    const lines = none.stdout
      .trim()
      .split('\n')
      .map((line) => givenOpinionSchema.parse(JSON.parse(line)))
    expect(lines.map(({ error }) => error)).toEqual(['it said nothing', expect.stringContaining('not found')])
    expect(none.stderr).toContain('expected an answer, none came: it said nothing; ')
  })

  it('ends who takes too long, with all that it started', () => {
    const root = tempFolder('ask')
    const slow = `sh -c 'trap "" TERM; echo $$ >new; mv new pid; while :; do sleep 1; done' & wait`
    const asked = outOfTime(
      (limit) => run('loop', ['ask', 'x', '--with', slow, '--with', 'cat', '--timeout', limit], { cwd: root }),
      ({ stdout }) => existsSync(join(root, 'pid')) && stdout.endsWith('x\n\n'),
    )
    expect(asked).toMatchObject({
      code: 1,
      stdout: `# ${slow}\n\n(no answer: it did not answer in time)\n\n# cat\n\nx\n\n`,
    })
    expect(isGone(Number(read(root, 'pid')))).toBe(true)
  })

  it('ends all when it is stopped', async () => {
    const root = tempFolder('ask')
    const started = start('loop', ['ask', 'x', '--with', 'echo $$ >new; mv new pid; sleep 600'], {
      cwd: root,
      input: '',
    })
    while (!existsSync(join(root, 'pid'))) await new Promise((resolve) => setTimeout(resolve, 20))
    started.child.kill('SIGTERM')
    expect(await started.done).toMatchObject({ code: 143, stdout: '' })
    expect(isGone(Number(read(root, 'pid')))).toBe(true)
  })

  it('writes to a file instead, whole', () => {
    const root = tempFolder('ask')
    write(root, 'said.md', 'old\n')
    expect(ok(run('loop', ['ask', 'x', '--with', 'cat', '-o', 'said.md'], { cwd: root })).stdout).toBe('')
    expect(read(root, 'said.md')).toBe('# cat\n\nx\n\n')
    ok(run('loop', ['ask', 'x', '--with', 'cat', '--json', '--out', 'new/said.json'], { cwd: root }))
    expect(opinions(read(root, 'new/said.json'))).toMatchObject([{ with: 'cat', text: 'x' }])
  })

  it.each([
    [['ask', 'x'], 'expected --with RUNNER, got none'],
    [['ask', ' ', '--with', 'cat'], 'expected a question, got nothing'],
    [['ask', '--with', 'cat'], 'expected a question, got nothing'],
    [['ask', 'x', '--with', 'cat', '--out', '.'], '--out names a file'],
  ])('refuses %j', (args, said) => {
    const finished = run('loop', args, { cwd: tempFolder('ask') })
    expect([finished.code, finished.stdout]).toEqual([2, ''])
    expect(finished.stderr).toContain(said)
  })
})

describe('in a run', () => {
  it('what was answered is evidence that a review may name', () => {
    const at = place()
    const id = at.issue('x')
    const long = `head -c 40000 /dev/zero | tr '\\0' y`
    const agent = at.agent(
      'x',
      `echo 1 >x.txt; git add x.txt; git commit -qm work
loop ask 'Sound?' --with "${long}" --with false --json >${at.agents}/asked 2>/dev/null
loop ask 'Sound?' --with 'echo yes' --quiet >${at.agents}/id
LOOP_REVIEWER=x loop review post lgtm --by rev --second-opinion "$(cat ${at.agents}/id)" --json >${at.agents}/review`,
    )
    ok(at.loop('run', '--issues', '--with', agent, '--verify', 'true'))
    const [given, failed] = opinions(read(at.agents, 'asked'))
    expect(given).toMatchObject({ issue: id, outcome: 'done', by: expect.stringMatching(/^loop-\w+-1$/) })
    expect(given?.text.length).toBe(40_000)
    const store = { path: join(at.root, '.jwz'), root: at.root, reason: '', repository: undefined }
    const run = given?.run ?? null
    const evidence = findEvidence(store, { issue: id, run })
    expect(evidence.map((found) => found.id)).toEqual([given?.id, read(at.agents, 'id').trim()])
    expect(evidence.map(({ prompt_sha256 }) => prompt_sha256)).not.toContain('')
    expect(findEvidence(store, { issue: id, run: 'another' })).toEqual([])
    expect(failed).toMatchObject({ outcome: 'failed', id: expect.any(String) })
    expect(JSON.parse(read(at.agents, 'review')).second_opinions).toEqual([read(at.agents, 'id').trim()])
  })
})
