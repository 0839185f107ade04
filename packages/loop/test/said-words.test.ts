// What an agent says of its own work is heard by the first word of its line, and only a word that exists counts.
import { run, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { landedIds, place, read, results, show } from './place.ts'

const line = (words: string) => `<loop-done>${words}</loop-done>`

describe('what a runner says of a task', () => {
  const cwd = tempFolder('words')
  const say = (words: string, exit: number) =>
    run('loop', ['run', 'x', '--max', '1', '--with', `printf '%s\\n' '${words}'; exit ${exit}`], { cwd })

  it.each([
    [line('FAILED'), 1, 'gave-up', 9],
    [line('FAILED'), 0, 'gave-up', 9],
    [line('NOT DONE'), 0, 'gave-up', 9],
    [line(''), 0, 'gave-up', 9],
    [line('banana'), 3, 'gave-up', 9],
    [line('done'), 1, 'gave-up', 9],
    [line('nothing'), 1, 'gave-up', 9],
    [line('COMPLETE'), 0, 'complete', 0],
    [line('Done, all of it'), 0, 'complete', 0],
    [`  ${line('Stuck')}`, 0, 'stuck', 9],
    [`\t${line('LIMIT: enough')}`, 0, 'gave-up', 9],
  ])('%s with exit %i is %s', (words, exit, outcome, code) => {
    const finished = say(words, exit)
    expect([finished.code, finished.stdout.split('  ')[1]?.trim()]).toEqual([code, outcome])
  })

  it('says that its limit is reached, by either word', () => {
    for (const word of ['limit', 'MAX_ITERATIONS: enough']) {
      expect(say(line(word), 0)).toMatchObject({ code: 9, stdout: expect.stringContaining('its limit is reached') })
    }
  })

  it('says why it is stuck', () => {
    for (const exit of [0, 1]) {
      expect(say(line('STUCK: no credentials'), exit)).toMatchObject({
        code: 9,
        stdout: 'task  stuck  the agent says that it is stuck: no credentials\n',
      })
    }
  })

  it('is told which words there are, after one that is none', () => {
    const agent = `cat > prompt-$LOOP_ITERATION; echo '${line('BLOCKED')}'; exit $((LOOP_ITERATION - 1))`
    expect(run('loop', ['run', 'x', '--max', '3', '--with', agent], { cwd }).code).toBe(9)
    const words = `${line('BLOCKED')} is no signal; the words are: done, complete, nothing, stuck, limit, max_iterations.`
    expect(read(cwd, 'prompt-2')).toContain(words)
    expect(read(cwd, 'prompt-3')).toContain(words)
    expect(read(cwd, 'prompt-3')).toContain('exited with 1')
  })
})

it('lands nothing of a turn that says that it is not done', () => {
  const at = place()
  const ids = ['one', 'two'].map(at.issue)
  const agent = at.agent('x', `echo z > "$title"; echo '${line('INCOMPLETE')}'; test "$title" = one`)
  const finished = at.loop('run', '--issues', '--max-iterations', '1', '--with', agent, '--verify', 'true', '--jsonl')
  expect(finished.code).toBe(9)
  for (const id of ids) {
    expect(results(finished)[id]).toMatchObject({ outcome: 'gave-up' })
    expect(show(at.root, id).comments.at(-1)?.body).toContain(`${line('INCOMPLETE')} is no signal`)
  }
  expect(landedIds(at.root)).toEqual([])
})
