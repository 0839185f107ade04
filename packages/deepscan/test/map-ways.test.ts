// What can be said to a map beside whom to ask: a stronger agent, a budget, hints, prompts for others, their answers.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { estimateSchema } from '../src/map/estimate.ts'
import { importedSchema } from '../src/map/import-schema.ts'
import { promptSchema } from '../src/map/instructions.ts'
import { mapPlace } from './map-place.ts'

const envelope = (text: string, cost: number) =>
  `console.log(JSON.stringify({ v: 1, text: ${text}, session: 's', outcome: 'done', exit_code: 0, usage: { input_tokens: 900, output_tokens: 100 }, cost_usd: ${cost}, limit: null, error: null }))`

describe('deepscan map', () => {
  it('asks a stronger agent where an answer is poor, for a share of the chunks', () => {
    const at = mapPlace(6)
    at.agent(
      'weak',
      "path.endsWith('f05.js') ? say([{ ...evals()[0], title: 'Made up', path, line: 1, quote: 'no such code' }]) : say([])",
    )
    at.agent('strong', 'say(evals())')
    const done = at.map('weak', '--escalate', 'strong', '--escalate-ratio', '0.5', '--model', 'small', '--jobs', '1')
    expect(done.code).toBe(0)
    expect(at.events('escalation').map(({ from_model, to_model, reason }) => [from_model, to_model, reason])).toEqual(
      Array(3).fill(['small', 'strong', 'no finding where rules found 1']),
    )
    expect(at.lines('results.jsonl').map(({ agent, model, attempt }) => [agent, model, attempt])).toEqual([
      ...[
        ['strong', null, 2],
        ['strong', null, 2],
        ['weak', 'small', 1],
        ['strong', null, 2],
        ['weak', 'small', 1],
      ],
      ['weak', 'small', 1],
    ])
    // What is made up stays for verify, and is nowhere.
    expect(at.lines('findings.jsonl').at(-1)).toMatchObject({
      title: 'Made up',
      line: 1,
      column: 1,
      quote: 'no such code',
    })
  })

  it('says the price before it is spent, stops at the budget, and goes on when it is raised', () => {
    const at = mapPlace(5)
    at.agent('dear', envelope('answer(evals())', 0.4))
    const priced = at.map('dear', '--dry-run', '--price', '3/15', '--json')
    const estimate = estimateSchema.parse(JSON.parse(priced.stdout))
    expect(estimate).toMatchObject({
      agent: 'dear',
      agent_type: 'general',
      chunks: 5,
      reused: 0,
      calls: 5,
      output_tokens: 4000,
    })
    expect(estimate.cost_usd).toBeCloseTo((estimate.input_tokens * 3 + 4000 * 15) / 1e6)
    expect(at.calls()).toEqual([])
    expect(at.map('dear', '--dry-run').stdout).toMatch(
      /^5 calls of dear: about \d+k tokens without retries\nagent type: general\n$/,
    )

    const stopped = at.map('dear', '--budget-usd', '1', '--jobs', '1')
    expect(stopped.code).toBe(9)
    expect(stopped.stdout).toBe('3 of 5 chunks analysed, 2 findings; about 3k tokens, $1.20\n')
    expect(stopped.stderr).toMatch(/deepscan: the budget is spent: \$1\.20 of \$1\.00 are spent; .* \[DS-404\]\n$/)
    expect(at.lines('results.jsonl')[0]).toMatchObject({
      usage: { input_tokens: 900, output_tokens: 100, cost_usd: 0.4 },
    })
    expect(at.map('dear', '--budget-tokens', '1000', '--jobs', '1')).toMatchObject({ code: 9 })
    expect(at.map('dear').code).toBe(0)
    expect(at.calls()).toHaveLength(5)
  })

  it('knows answers again: an edit asks about what it touched, and comes to what a full run comes to (W28)', () => {
    const at = mapPlace(6)
    at.agent('good', 'say(evals())')
    expect(at.map('good').code).toBe(0)
    writeFileSync(join(at.root, 'src/f02.js'), 'eval(2)\n')
    const edited = at.init()
    expect(at.map('good', '--dry-run').stdout).toMatch(/^1 call of good \(5 answers known from before\): /)
    expect(at.map('good').stdout).toMatch(/^6 of 6 chunks analysed, 5 findings; /)
    expect(
      at
        .calls()
        .map(({ path }) => path)
        .slice(6),
    ).toEqual(['src/f02.js'])
    const full = at.init()
    expect(at.map('good', '--only', 'all').code).toBe(0)
    const bare = (scan: string) =>
      at
        .linesIn(join(scan, 'findings.jsonl'))
        .map(({ result: _, ...finding }) => JSON.stringify(finding))
        .sort()
    expect(bare(edited)).toEqual(bare(full))
    expect(at.map('good', '--query', 'Another question?', '--only', 'all').code).toBe(0)
    expect(at.calls()).toHaveLength(19)
  })

  it('asks first where rules and changes point, and tells agents what rules found', () => {
    const at = mapPlace(4)
    at.agent(
      'heard',
      "say([], { partial_answer: /^Rules have found this/m.test(prompt) ? prompt.split('\\n').filter((line) => / high: /.test(line)).join() : 'none' })",
    )
    expect(at.map('heard', '--hints', '--sample', '3', '--jobs', '1')).toMatchObject({
      ...{ code: 0, stdout: expect.stringMatching(/^3 of 4 chunks analysed/) },
      stderr: expect.stringContaining('next: deepscan map --with RUNNER, for the other 1'),
    })
    expect(at.lines('results.jsonl').map(({ partial_answer }) => partial_answer)).toEqual([
      ...['src/f00.js', 'src/f01.js', 'src/f03.js'].map((path) => `${path}:6 high: A value is run as code`),
    ])
  })

  it('asks first about what others hang on, where rules are silent', () => {
    const user = "import { sumOfAll } from './hub.js'\nexport const total = sumOfAll([])\n"
    const alone = 'export const one = 1\n'
    const at = mapPlace(0, {
      'a.js': alone,
      'b.js': user,
      'c.js': user,
      'hub.js': 'export function sumOfAll(x) {\n  return x\n}\n',
    })
    at.agent('good', 'say([])')
    expect(at.map('good', '--hints', '--jobs', '1').code).toBe(0)
    expect(at.calls().map(({ path }) => path)).toEqual(['hub.js', 'a.js', 'b.js', 'c.js'])
  })

  it('prints prompts for the agents of a host, all of them to a file, and takes in their answers (W2, W34)', () => {
    const at = mapPlace(7)
    expect(at.deepscan('map').stdout).toMatch(/^7 of 7 chunks analysed, 5 findings; .* \(by rules\)\n$/)
    const page = at.deepscan('map', '--instructions')
    expect(page.stdout).toMatch(/^# Chunks to be analysed\n[\s\S]*- chunks: 5 of 7\n/)
    expect(page.stdout.match(/^## Chunk \d+: /gm)).toHaveLength(5)
    expect(page.stdout).toContain('2 more chunks: deepscan map --instructions --batch N, or -o FILE for all.')
    const second = at.deepscan('map', '--instructions', '--batch', '2', '--jsonl').stdout.trimEnd().split('\n')
    expect(second.map((line) => promptSchema.parse(JSON.parse(line)).index)).toEqual([5, 6])
    expect(at.deepscan('map', '-i', '--batch', '3')).toMatchObject({ code: 3, stdout: '' })
    const file = join(at.root, 'out', 'prompts.md')
    expect(at.deepscan('map', '-i', '-o', 'out/prompts.md')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '7 prompts written to out/prompts.md\n',
    })
    expect(readFileSync(file, 'utf8').match(/^## Chunk \d+: /gm)).toHaveLength(7)

    const ids = at.lines('chunks.jsonl').map(({ id }) => id)
    const good = {
      chunk: ids[0],
      status: 'completed',
      findings: [{ title: 'Bad', path: 'src/f00.js', line: 6, quote: 'eval(x + 0)' }],
      agent: 'haiku',
    }
    const former = { chunk_id: ids[1], status: 'partial', findings: [], missing_info: ['callers'] }
    writeFileSync(
      join(at.root, 'bad.jsonl'),
      `${JSON.stringify(good)}\n${JSON.stringify({ ...good, status: 'pending' })}\n\n${JSON.stringify({ ...good, chunk: 'none' })}\n`,
    )
    const bad = at.deepscan('map', '--import', 'bad.jsonl')
    expect(bad).toMatchObject({ code: 2, stdout: '' })
    expect(bad.stderr).toMatch(
      /^deepscan: bad\.jsonl:2 is no result: status: .*; line 4: chunk: expected one of this scan, got "none"; .* \[DS-204\]\n$/,
    )
    writeFileSync(join(at.root, 'torn.jsonl'), `${JSON.stringify(good)}\n{"chunk":\n`)
    expect(at.deepscan('map', '--import', 'torn.jsonl').stderr).toMatch(/torn\.jsonl:2 is not JSON: .* \[DS-102\]\n$/)
    const counts = { type: 'imported', answers: 2, unchanged: 0, findings: 1, pending: 5 }
    writeFileSync(join(at.root, 'good.jsonl'), `${JSON.stringify(good)}\n${JSON.stringify(former)}\n`)
    const first = at.deepscan('map', '--import', 'good.jsonl', '--json')
    expect(importedSchema.parse(JSON.parse(first.stdout))).toMatchObject(counts)
    const again = JSON.parse(at.deepscan('map', '--import', 'good.jsonl', '--json').stdout)
    expect(again).toMatchObject({ ...counts, answers: 0, unchanged: 2, findings: 0 })
    expect(at.lines('findings.jsonl').at(-1)).toMatchObject({ title: 'Bad', line: 6, column: 10, agent: 'haiku' })
    expect(at.deepscan('map', '-i').stdout).toContain('- chunks: 5 of 5\n')
  })

  it('knows agent types by name, and from files that can change no name of ours', () => {
    const at = mapPlace(1)
    at.agent('heard', "say([], { partial_answer: prompt.split('\\n')[2] })")
    const said = (...args: string[]) => {
      const done = at.map('heard', '--only', 'all', ...args)
      expect(done.code, done.stderr).toBe(0)
      return [at.lines('results.jsonl').at(-1)?.['partial_answer'], done.stderr.split('\n')[0]]
    }
    expect(said('--agent-type', 'security')[0]).toMatch(/^Look for weaknesses/)
    mkdirSync(join(at.root, '.deepscan/agents'), { recursive: true })
    const write = (folder: string, name: string, text: string) => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${name}.md`), text)
    }
    const project = join(at.root, '.deepscan/agents')
    write(project, 'money', 'Look at sums.\n')
    write(project, 'security', 'Find nothing.\n')
    expect(said('--agent-type', 'money')).toEqual(['Look at sums.', `agent type money is ${join(project, 'money.md')}`])
    expect(said('--agent-type', 'security')[0]).toMatch(/^Look for weaknesses/)
    const mine = tempFolder('mine')
    write(mine, 'secret', 'Mine alone.\n')
    symlinkSync(join(mine, 'secret.md'), join(project, 'linked.md'))
    expect(at.map('heard', '--agent-type', 'linked')).toMatchObject({ code: 2, stdout: '' })
    rmSync(join(project, 'linked.md'))
    const config = tempFolder('config')
    write(join(config, 'deepscan/agents'), 'money', 'Look at my sums.\n')
    Object.assign(at.env, { XDG_CONFIG_HOME: config })
    expect(said('--agent-type', 'money')[0]).toBe('Look at my sums.')
    for (const name of ['../x', 'nobody', '__proto__']) {
      const unknown = at.map('heard', '--agent-type', name)
      expect(unknown).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('there are general, security, architecture, performance, money'),
      })
    }
  })

  it('says which flag makes no sense, and asks nobody', () => {
    const at = mapPlace(1)
    const refused = (...args: string[]) => {
      const done = at.deepscan('map', ...args)
      expect(done.code, args.join(' ')).toBe(2)
      return done.stderr
    }
    expect(refused('--with', 'x', '--import', 'y')).toContain(
      'expected one of --with, --instructions and --import, got --with and --import',
    )
    expect(refused('--dry-run')).toMatch(/expected --with RUNNER, got nothing; .* \[DS-402\]/)
    expect(refused('--escalate', 'x')).toMatch(/expected --with RUNNER, got nothing; .* \[DS-402\]/)
    expect(refused('--with', 'x', '--model', '--help me')).toMatch(/\[DS-403\]/)
    expect(refused('--with', 'x', '--price', 'much')).toContain('such as 3/15, got "much"')
    expect(refused('--with', 'x', '--escalate-ratio', '2')).toContain('from 0 to 1, got "2"')
    writeFileSync(join(at.root, 'q.js'), 'x\n')
    at.deepscan('init', 'q.js', '--force')
    expect(refused('--with', 'x')).toMatch(/has no question for the agents; .* \[DS-003\]/)
  })
})
