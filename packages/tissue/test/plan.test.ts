import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { plan as planSchema } from '../src/schema/plan-schema.ts'
import { made } from '../src/schema/schemas.ts'
import { recordsIn, repoWithIssues } from './fixture.ts'
import { epic, idsIn, namesOf, plan } from './plan-fixture.ts'
import { json, tissue } from './tissue.ts'

describe('tissue new --plan', () => {
  it('makes a graph in one line and prints names and ids', () => {
    const root = tempRepo()
    const { code, stdout, stderr } = plan(root, epic)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const ids = namesOf(stdout)
    expect(Object.keys(ids)).toEqual(['epic', 'api', 'page', 'docs'])
    const [batch, ...rest] = recordsIn(root)
    expect(rest).toEqual([])
    expect(batch).toMatchObject({
      type: 'batch',
      events: [{ type: 'configured' }, ...Array(4).fill({ type: 'created' })],
    })
    expect(json(root, 'show', ids['docs'] ?? '')).toMatchObject({
      title: 'The guide',
      blocked_by: [ids['api'], ids['page']].sort(),
      acceptance: 'Read.',
      estimate_ms: 7_200_000,
      priority: 2,
    })
    expect(json(root, 'show', ids['api'] ?? '')).toMatchObject({
      tags: ['a,b', 'api'],
      priority: 1,
      meta: { area: 'auth' },
    })
    expect(json(root, 'ready').map(({ id }: { id: string }) => id)).toContain(ids['api'])
  })

  it('prints objects with --json, and ids alone with --quiet', () => {
    const root = tempRepo()
    writeFileSync(join(root, 'plan.json'), JSON.stringify(epic))
    const rows = json(root, 'new', '--plan', 'plan.json').map((row: unknown) => made.parse(row))
    expect(rows).toMatchObject(epic.issues.map(({ name, title }) => ({ name, title, created: true })))
    const { stdout } = tissue(root, ['new', '--plan', 'plan.json', '--quiet'])
    expect(stdout).toMatch(/^([a-z0-9-]+-[0-9a-z]{12}\n){4}$/)
    expect(idsIn(root)).toHaveLength(8)
  })

  it('names issues that are there by their ids, and a name of its own first', () => {
    const root = repoWithIssues()
    const { stdout } = plan(root, {
      issues: [
        { name: 'm5t0', title: 'x' },
        { name: 'b', title: 'y', blocks: ['k3vd', 'm5t0'] },
      ],
    })
    const ids = namesOf(stdout)
    expect(json(root, 'show', 'k3vd').blocked_by).toEqual([ids['b']])
    expect(json(root, 'show', ids['m5t0'] ?? '').blocked_by).toEqual([ids['b']])
  })

  it('with a key makes each issue once, and later only what was added', () => {
    const root = tempRepo()
    const first = plan(root, epic, '--key', 'keys').stdout
    const before = recordsIn(root).length
    expect(plan(root, epic, '--key', 'keys')).toEqual({
      code: 0,
      stdout: first,
      stderr: '4 of the plan were there already\n',
    })
    expect(recordsIn(root)).toHaveLength(before)
    const [head, ...others] = epic.issues
    const more = {
      issues: [
        head,
        { name: 'test', title: 'The tests', parent: 'epic' },
        ...others.slice(0, 2),
        { ...others[2], blocked_by: 'test' },
      ],
    }
    const again = namesOf(plan(root, more, '--key', 'keys').stdout)
    expect(again).toMatchObject(namesOf(first))
    expect(idsIn(root)).toHaveLength(5)
    expect(json(root, 'show', again['docs'] ?? '').blocked_by).toContain(again['test'])
    expect(json(root, 'show', again['docs'] ?? '').key).toBe('keys/docs')
  })

  it('takes the fields of an issue to be those of the flags of new', () => {
    const { stdout } = run('tissue', ['schema', 'plan'], { cwd: tempFolder('schema') })
    const fields: string[] = Object.keys(JSON.parse(stdout).properties.issues.items.properties)
    const help = tissue(tempFolder('help'), ['new', '--help']).stdout
    const flagOf = (field: string) => `--${field.replace('_', '-')} `
    const own = ['name', 'title']
    expect(fields.filter((field) => !own.includes(field) && !help.includes(flagOf(field)))).toEqual([])
    expect(planSchema.safeParse(epic).success).toBe(true)
  })
})

describe('a plan that cannot be', () => {
  it('is refused with all that is wrong, and nothing is written', () => {
    const root = tempRepo()
    const shape = plan(root, { issues: [{ name: 'a', titel: 'A' }, { title: 3 }], more: 1 })
    expect(shape.code).toBe(2)
    for (const part of [
      'issues[0].title: ',
      '"titel"',
      'issues[1].name: ',
      'issues[1].title: ',
      '"more"',
      'nothing was written',
    ])
      expect(shape.stderr).toContain(part)
    const values = plan(root, {
      issues: [
        { name: 'a', title: 'A', due: 'soon' },
        { name: 'a', title: 'two\nlines' },
        { name: 'c', title: 'C', type: 'Big Bug' },
        { name: 'd', title: 'D', tag: ' ' },
      ],
    })
    expect(values.code).toBe(2)
    for (const part of [
      'issues[0] (a): expected --due',
      'issues[1] (a): the name stands',
      'issues[1] (a): expected a title',
      'issues[2] (c)',
      'issues[3] (d)',
    ])
      expect(values.stderr).toContain(part)
    const unknown = plan(root, {
      issues: [
        { name: 'a', title: 'A', parent: 'x' },
        { name: 'b', title: 'B', blocks: ['a', 'y'] },
      ],
    })
    expect(unknown.code).toBe(2)
    for (const part of [
      'issues[0] (a): expected the id of an issue, got "x"',
      'issues[1] (b): expected the id of an issue, got "y"',
    ])
      expect(unknown.stderr).toContain(part)
    expect(tissue(root, ['new', '--plan', '-'], '{').code).toBe(2)
    expect(tissue(root, ['new', '--plan', '-'], '['.repeat(100_000)).code).toBe(2)
    expect(tissue(root, ['new', '--plan', '-'], '').code).toBe(2)
    expect(tissue(root, ['new', '--plan', '-'], '{"issues":[]}').code).toBe(2)
    expect(tissue(root, ['new', '--plan', 'none.json']).code).toBe(3)
    expect(run('tissue', ['new', '--plan', '-'], { cwd: root, input: new Uint8Array([0xff]) }).code).toBe(2)
    expect(existsSync(join(root, '.tissue'))).toBe(false)
  })

  it('is refused when one key stands for two of its issues', () => {
    const issues = [
      { name: 'a', title: 'A', key: 'k' },
      { name: 'b', title: 'B', key: 'k' },
    ]
    const root = tempRepo()
    const { code, stderr } = plan(root, { issues })
    expect(code).toBe(2)
    expect(stderr).toContain('issues[1] (b): the key stands for another issue already')
    expect(existsSync(join(root, '.tissue'))).toBe(false)
  })

  it('is refused when it makes an issue wait for itself, by its own names', () => {
    const root = tempRepo()
    const circle = {
      issues: [
        { name: 'a', title: 'A', blocked_by: 'c' },
        { name: 'b', title: 'B', blocked_by: 'a' },
        { name: 'c', title: 'C', blocked_by: 'b' },
      ],
    }
    const { code, stderr } = plan(root, circle)
    expect(code).toBe(5)
    expect(stderr).toMatch(
      /expected no circle, this would make one: (a blocks b blocks c blocks a|b blocks c blocks a blocks b|c blocks a blocks b blocks c)/,
    )
    expect(plan(root, { issues: [{ name: 'a', title: 'A', blocked_by: 'a' }] }).code).toBe(2)
    expect(
      plan(root, {
        issues: [
          { name: 'a', title: 'A', parent: 'b' },
          { name: 'b', title: 'B', parent: 'a' },
        ],
      }).code,
    ).toBe(5)
    expect(existsSync(join(root, '.tissue'))).toBe(false)
  })

  it('is refused with a circle through issues that are there', () => {
    const root = repoWithIssues()
    const before = recordsIn(root).length
    const { code, stderr } = plan(root, {
      issues: [
        { name: 'a', title: 'A', blocks: 'k3vd' },
        { name: 'b', title: 'B', blocks: 'a', blocked_by: 'x9qa' },
      ],
    })
    expect(code).toBe(5)
    expect(stderr).toContain('auth-k3vd7rm2w9ht')
    expect(recordsIn(root)).toHaveLength(before)
  })

  it('takes no flags that its issues would ignore', () => {
    const root = tempRepo()
    expect(plan(root, epic, '-p', '1')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tissue: expected --priority inside the plan, got it beside --plan\n',
    })
    expect(tissue(root, ['new', 'Title', '--plan', '-'], '{}').code).toBe(2)
    expect(plan(root, epic, '-t', 'x').code).toBe(2)
  })

  it('is refused with --check-similar when an issue of it is there', () => {
    const root = tempRepo()
    const { stdout } = tissue(root, ['new', 'Write the guide'])
    expect(
      plan(
        root,
        {
          issues: [
            { name: 'a', title: 'A' },
            { name: 'g', title: 'write guide' },
          ],
        },
        '--check-similar',
      ),
    ).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(stdout.trim()),
    })
    expect(idsIn(root)).toHaveLength(1)
  })
})

describe('a plan with --dry-run', () => {
  it('checks everything, writes nothing and names no id that is not there', () => {
    const root = tempRepo()
    expect(plan(root, epic, '--dry-run')).toEqual({
      code: 0,
      stdout: 'epic  (new)\napi  (new)\npage  (new)\ndocs  (new)\n',
      stderr: 'would make 4 issues\n',
    })
    const rows = JSON.parse(plan(root, epic, '--dry-run', '--json').stdout)
    expect(rows.map((row: unknown) => made.parse(row).id)).toEqual([undefined, undefined, undefined, undefined])
    expect(plan(root, epic, '--dry-run', '--quiet').stdout).toBe('')
    expect(existsSync(join(root, '.tissue'))).toBe(false)
  })
})
