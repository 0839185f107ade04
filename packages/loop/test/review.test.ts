import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { judgeReviews } from '../src/review/judge.ts'
import type { Review } from '../src/review/review-schema.ts'
import { landedIds, ok, place, read, results, write } from './place.ts'

const sha = (digit: string) => digit.repeat(40)
const review = (verdict: Review['verdict'], of: string, more: Partial<Review> = {}): Review => ({
  ...{ type: 'review', v: 1, verdict, sha: sha(of), change: `change ${of}`, issue: 'x-1', run: 'r1', by: 'rev' },
  ...{ note: verdict === 'changes' ? 'mend it' : '', second_opinions: [], ...more },
})

describe('judgeReviews', () => {
  const here = { sha: sha('a'), change: 'change a' }
  it.each([
    ['no review', [], 'missing'],
    ['one that approves', [review('lgtm', 'a')], 'approved'],
    ['one of another commit that makes the same change', [review('lgtm', 'b', { change: 'change a' })], 'approved'],
    ['one of another change', [review('lgtm', 'b')], 'outdated'],
    ['one that asks for changes', [review('changes', 'a')], 'changes'],
    ['one that asked for changes to what is no more', [review('changes', 'b')], 'outdated'],
    ['two, the later approves', [review('changes', 'a'), review('lgtm', 'a')], 'approved'],
    ['two reviewers, one against', [review('changes', 'a'), review('lgtm', 'a', { by: 'other' })], 'changes'],
    ['approval of a commit, then of an empty change', [review('lgtm', 'b', { change: null })], 'outdated'],
  ])('%s', (_, reviews, verdict) => {
    expect(judgeReviews(reviews, here).verdict).toBe(verdict)
  })

  it('tells what was asked for, and how to go on', () => {
    expect(judgeReviews([review('changes', 'a')], here).output).toBe('rev: mend it')
    expect(judgeReviews([], here).output).toContain(`Somebody else has to look at ${here.sha.slice(0, 12)}`)
    expect(judgeReviews([], here).output).not.toContain('loop review post')
    expect(judgeReviews([review('lgtm', 'b', { change: null })], { ...here, change: null }).verdict).toBe('outdated')
  })
})

const long = Array.from({ length: 20 }, (_, n) => `${n}\n`).join('')

/** A repository with an issue, and a branch with a change of it checked out. */
function changed() {
  const at = place({
    'a.txt': 'one\ntwo\nthree\n',
    'far.txt': 'far\n',
    'long.txt': long,
    'loop.json': '{"base":"main"}',
  })
  const id = at.issue('A change')
  git(at.root, 'checkout', '-q', '-b', 'work')
  write(at.root, 'a.txt', 'one\nTWO\nthree\n')
  git(at.root, 'commit', '-qam', 'Change')
  const status = () => {
    const { stdout, stderr } = at.loop('review', 'status', id, '--json')
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }
  const post = (...args: string[]) => at.loop('review', 'post', ...args)
  return { ...at, id, status, post, head: () => git(at.root, 'rev-parse', 'HEAD') }
}

/** Something else lands on main, and the work is rebased onto it. */
function landElsewhere(root: string, path: string, text: string) {
  git(root, 'checkout', '-q', 'main')
  write(root, path, text)
  git(root, 'commit', '-qam', 'Elsewhere')
  git(root, 'checkout', '-q', 'work')
  git(root, 'rebase', '-q', 'main')
}

describe('loop review', () => {
  it('posts a verdict on a commit, as a record and as a line', () => {
    const at = changed()
    expect(at.status()).toMatchObject({ issue: at.id, run: null, sha: at.head(), verdict: 'missing', reviews: [] })
    expect(at.loop('review', 'status', at.id).code).toBe(1)
    const posted = ok(at.post('lgtm', at.id, '--by', 'rev', '-m', 'Sound.', '--json'))
    const record = JSON.parse(posted.stdout)
    expect(record).toMatchObject({ type: 'review', v: 1, verdict: 'lgtm', sha: at.head(), by: 'rev', note: 'Sound.' })
    const [message] = JSON.parse(run('jwz', ['read', `issue:${at.id}`, '--json'], { cwd: at.root }).stdout)
    expect(message).toMatchObject({ id: record.id, from: 'rev', body: `[review] LGTM sha:${at.head()}\n\nSound.` })
    expect(at.loop('review', 'status', at.id)).toMatchObject({
      ...{ code: 0, stdout: `${at.head().slice(0, 12)}  approved\n`, stderr: '' },
    })
    expect(at.loop('review', 'status', at.id, '--quiet').stdout).toBe('approved\n')
  })

  it('survives a clean rebase and falls with another change', () => {
    const at = changed()
    ok(at.post('lgtm', at.id, '--by', 'rev'))
    const before = at.head()
    landElsewhere(at.root, 'far.txt', 'further\n')
    expect(at.head()).not.toBe(before)
    expect(at.status().verdict).toBe('approved')
    write(at.root, 'long.txt', `${long}more\n`)
    git(at.root, 'commit', '-qam', 'Longer')
    const reviewed = at.head()
    ok(at.post('lgtm', at.id, '--by', 'rev'))
    landElsewhere(at.root, 'long.txt', `above\n${long}`)
    expect(at.status().verdict).toBe('approved')
    write(at.root, 'a.txt', 'one\n TWO\nthree\n')
    git(at.root, 'commit', '-qa', '--amend', '--no-edit')
    expect(at.status()).toMatchObject({ verdict: 'outdated' })
    expect(at.status().output).toContain(
      `rev looked at ${reviewed.slice(0, 12)}. Somebody else has to look at ${at.head().slice(0, 12)}`,
    )
  })

  it('falls when only spaces, a mode or the bytes of a binary differ', () => {
    const at = changed()
    const amend = () => git(at.root, 'commit', '-qa', '--amend', '--no-edit')
    const reviewed = () => ok(at.post('lgtm', at.id, '--by', 'rev'))
    reviewed()
    write(at.root, 'long.txt', long.replace('\n10\n', '\n 10\n'))
    amend()
    expect(at.status().verdict).toBe('outdated')
    reviewed()
    git(at.root, 'update-index', '--chmod=+x', 'a.txt')
    git(at.root, 'commit', '-q', '--amend', '--no-edit')
    git(at.root, 'checkout', '-q', '.')
    expect(at.status().verdict).toBe('outdated')
    write(at.root, 'b.bin', '\0one')
    git(at.root, 'add', '.')
    amend()
    reviewed()
    expect(at.status().verdict).toBe('approved')
    write(at.root, 'b.bin', '\0two')
    amend()
    expect(at.status().verdict).toBe('outdated')
  })

  it('is bound to the commit that was looked at, whatever was committed meanwhile', () => {
    const at = changed()
    const seen = at.head()
    write(at.root, 'a.txt', 'one\nTWO\nTHREE\n')
    git(at.root, 'commit', '-qam', 'More')
    ok(at.post('lgtm', at.id, '--by', 'rev', '--sha', seen.slice(0, 10)))
    expect(at.status().verdict).toBe('outdated')
    expect(at.loop('review', 'status', at.id, '--sha', seen).code).toBe(0)
  })

  it('asks for changes only with a note', () => {
    const at = changed()
    expect(at.post('changes', at.id, '--by', 'rev')).toMatchObject({ code: 2, stdout: '' })
    write(at.root, '.git/note', 'The list may be empty.\n')
    ok(at.post('changes', at.id, '--by', 'rev', '-F', '.git/note'))
    expect(at.status()).toMatchObject({ verdict: 'changes', output: 'rev: The list may be empty.\n' })
    ok(at.post('LGTM', at.id, '--by', 'rev'))
    expect(at.status().verdict).toBe('approved')
  })

  it('does not take what others say in its name, nor what is no review', () => {
    const at = changed()
    const topic = `issue:${at.id}`
    const data = JSON.stringify(review('lgtm', 'a', { sha: at.head(), by: 'somebody', run: null }))
    const post = (...args: string[]) => ok(run('jwz', ['post', topic, ...args], { cwd: at.root }))
    post('-m', `[review] LGTM sha:${at.head()}`)
    post('-m', 'x', '--as', 'worker', '--data', data)
    post('-m', 'x', '--as', 'somebody', '--data', '{"type":"review","v":1,"verdict":"lgtm"}')
    expect(at.status().verdict).toBe('missing')
    post('-m', 'x', '--as', 'somebody', '--data', data)
    post(
      '-m',
      'x',
      '--as',
      'somebody',
      '--data',
      `${data.slice(0, -1)},"origin":"person","at":1,"signature":"${'f'.repeat(64)}"}`,
    )
    expect(at.status().verdict).toBe('missing')
  })

  it('takes a verdict once, in the order of the topic, and for its own words, commit and issue alone', () => {
    const at = changed()
    const other = at.issue('Another')
    const json = (...args: string[]) => JSON.parse(ok(at.post(...args, '--by', 'rev', '--json')).stdout)
    const again = (issue: string, data: object) =>
      ok(
        run('jwz', ['post', `issue:${issue}`, '-m', 'x', '--as', 'rev', '--data', JSON.stringify(data)], {
          cwd: at.root,
        }),
      )
    const { id: _, ...approved } = json('lgtm', at.id)
    const { id: __, ...against } = json('changes', at.id, '-m', 'mend it')
    expect(at.status().verdict).toBe('changes')
    again(at.id, approved)
    expect(at.status().verdict).toBe('changes')
    again(at.id, { ...against, verdict: 'lgtm' })
    again(at.id, { ...approved, at: approved.at + 1 })
    expect(at.status()).toMatchObject({ verdict: 'changes', reviews: [{ verdict: 'lgtm' }, { verdict: 'changes' }] })
    // Whoever can write the file can change what stands in it.
    const file = join(at.root, '.jwz/topics/issue', `${at.id}.jsonl`)
    const text = readFileSync(file, 'utf8')
    for (const [from, to] of [
      ['"verdict":"changes"', '"verdict":"lgtm"'],
      ['"note":"mend it"', '"note":"mend nothing"'],
      [`"at":${against.at},"signature"`, `"at":${against.at + 1},"signature"`],
    ] as const) {
      write(at.root, file.slice(at.root.length), text.replace(from, to))
      expect([from, at.status().reviews.map(({ note }: Review) => note)]).toEqual([from, ['']])
    }
    write(at.root, file.slice(at.root.length), text)
    expect(at.status().verdict).toBe('changes')
    again(other, approved)
    again(other, { ...approved, issue: other })
    const status = () => JSON.parse(at.loop('review', 'status', other, '--json').stdout)
    expect(status().verdict).toBe('missing')
    ok(at.post('lgtm', other, '--by', 'rev'))
    expect(status().verdict).toBe('approved')
    write(at.root, 'loop.json', '{"base":"main","review":true,"reviewer":"false"}')
    expect(status().verdict).toBe('missing')
  })

  const unreviewed = changed()
  it.each([
    [['good'], 2, 'expected lgtm or changes, got "good"'],
    [['lgtm'], 2, 'expected the issue that is meant, got none, and no loop is at work here'],
    [['lgtm', 'no-such'], 3, 'expected an issue, no-such names none'],
  ])('post %j', (args, code, said) => {
    const finished = unreviewed.post(...args)
    expect([finished.code, finished.stdout]).toEqual([code, ''])
    expect(finished.stderr).toContain(said)
  })

  it('post refuses a commit and a second opinion that are not there', () => {
    const at = changed()
    expect(at.post('lgtm', at.id, '--sha', 'f'.repeat(40))).toMatchObject({ code: 3, stdout: '' })
    const finished = at.post('lgtm', at.id, '--by', 'rev', '--second-opinion', '01ABC')
    expect(finished).toMatchObject({ code: 3, stdout: '' })
    expect(finished.stderr).toContain('01ABC is none')
    expect(at.status().verdict).toBe('missing')
  })

  it('needs a repository', () => {
    expect(run('loop', ['review', 'status'], { cwd: tempFolder('none') })).toMatchObject({ code: 2, stdout: '' })
    expect(run('loop', ['review', 'status'], { cwd: tempRepo({ a: '' }) })).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('a run whose changes are reviewed', () => {
  const reviewed = (reviewer?: string) =>
    place({ 'a.txt': 'one\ntwo\n', 'loop.json': JSON.stringify({ review: true, ...(reviewer ? { reviewer } : {}) }) })
  const go = (at: ReturnType<typeof place>, agent: string, ...more: string[]) =>
    at.loop('run', '--issues', '--with', agent, '--verify', 'true', '--jsonl', ...more)

  it('lands nothing that nobody has looked at', () => {
    const at = reviewed()
    const id = at.issue('x')
    const agent = at.agent('x', `echo "$LOOP_ITERATION" >x.txt; printf '%s' "$prompt" >${at.agents}/prompt`)
    const finished = go(at, agent, '--max-iterations', '2')
    expect([finished.code, results(finished)[id]?.outcome]).toEqual([9, 'gave-up'])
    expect(read(at.agents, 'prompt')).toContain('There is no review of this commit yet.')
    expect(landedIds(at.root)).toEqual([])
  })

  it('asks its reviewer, tells the worker what to change, and lands what was approved', () => {
    const reviewer = `cat >question; touch left.txt; if grep -q '^+mended' question; then echo LGTM; else echo 'x.txt:1 says nothing'; echo '**CHANGES**'; fi`
    const at = reviewed(reviewer)
    const id = at.issue('x')
    const agent = at.agent(
      'x',
      `if [ "$LOOP_ITERATION" = 1 ]; then echo bad >x.txt; else echo mended >x.txt; printf '%s' "$prompt" >${at.agents}/prompt; fi`,
    )
    const finished = go(at, agent)
    expect(results(finished)[id]).toMatchObject({ outcome: 'landed', iterations: 2 })
    expect(read(at.agents, 'prompt')).toContain('The review asks for changes:')
    expect(read(at.agents, 'prompt')).toContain('x.txt:1 says nothing')
    expect(git(at.root, 'ls-tree', '--name-only', 'main').split('\n')).toEqual(['a.txt', 'loop.json', 'x.txt'])
    const told = JSON.parse(run('jwz', ['read', `issue:${id}`, '--json'], { cwd: at.root }).stdout)
    const verdicts = told.flatMap((message: { from: string; data?: Partial<Review> }) => message.data?.verdict ?? [])
    expect(verdicts).toEqual(['changes', 'lgtm'])
  })

  it('takes no verdict from a reviewer that fails, or that says it in passing', () => {
    const at = reviewed('if grep -q first; then echo "LGTM, I would say"; else echo LGTM; exit 1; fi')
    for (const title of ['first', 'second']) {
      const id = at.issue(title)
      const finished = go(at, at.agent('x', 'echo "$title" >x.txt'), '--max-iterations', '2')
      expect(results(finished)[id]).toMatchObject({ outcome: 'gave-up' })
      expect(results(finished)[id]?.['reason']).toContain(title === 'first' ? 'LGTM, I would say' : '\nLGTM')
    }
    expect(landedIds(at.root)).toEqual([])
  })

  it('lets a reviewer post its verdict itself', () => {
    const at = reviewed('loop review post lgtm >/dev/null; exit 1')
    const id = at.issue('x')
    expect(results(go(at, at.agent('x', 'echo 1 >x.txt')))[id]).toMatchObject({ outcome: 'landed' })
  })
})
