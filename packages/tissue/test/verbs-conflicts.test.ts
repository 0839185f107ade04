import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { run, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { conflict } from '../src/schema/schemas.ts'
import { json, tissue } from './tissue.ts'

/** A store with one issue, and a copy of it that goes its own way. */
function twoStores() {
  const [mine, theirs] = [tempFolder('mine'), tempFolder('theirs')]
  tissue(mine, ['init', '--prefix', 'app'])
  const id = tissue(mine, ['new', 'Fix login']).stdout.trim()
  cpSync(join(mine, '.tissue'), join(theirs, '.tissue'), { recursive: true })
  return { mine, theirs, id }
}

function as(name: string, cwd: string, ...args: string[]) {
  const { code, stderr } = run('tissue', args, { cwd, env: { JWZ_AGENT: name } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
}

/** Takes what the other store has. */
function take(cwd: string, other: string) {
  const input = run('tissue', ['export', '--all'], { cwd: other }).stdout
  expect(run('tissue', ['import', '-'], { cwd, input }).code).toBe(0)
}

describe('tissue list --conflicts', () => {
  it('lists nothing, with 0, where nobody disagrees', () => {
    const { mine } = twoStores()
    expect(tissue(mine, ['list', '--conflicts'])).toEqual({ code: 0, stdout: '', stderr: 'no conflicts\n' })
    expect(tissue(mine, ['list', '--conflicts', '--json']).stdout).toBe('[]\n')
    expect(tissue(tempFolder('none'), ['list', '--conflicts', '--jsonl'])).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('shows both sides of a field, who wrote them and when, alike in both stores', () => {
    const { mine, theirs, id } = twoStores()
    as('ada', mine, 'edit', id, '--title', 'Title of ada', '--priority', '1')
    as('bob', theirs, 'edit', id, '--title', 'Title of bob', '--priority', '1')
    take(mine, theirs)
    take(theirs, mine)
    const found = json(mine, 'list', '--conflicts')
    expect(json(theirs, 'list', '--conflicts')).toEqual(found)
    expect(found.map((one: unknown) => conflict.parse(one))).toMatchObject([
      { issue: id, field: 'title', settle: `tissue edit ${id.slice(0, 8)} --title TITLE` },
    ])
    const [winner, loser] = found[0].sides
    expect([winner.wins, loser.wins]).toEqual([true, false])
    expect([winner, loser].map(({ by, value }) => `${by}: ${value}`).sort()).toEqual([
      'ada: Title of ada',
      'bob: Title of bob',
    ])
    expect(json(mine, 'show', id)).toMatchObject({ title: winner.value, conflicts: ['title'] })
    const { stdout } = tissue(mine, ['list', '--conflicts'])
    expect(stdout).toMatch(/^app-\S{4} {2}Title of \w+: title\n {2}wins {2}"Title of \w+" {2}\w+ {2}20\S+Z\n {2}lost /)
    expect(tissue(mine, ['list', '--conflicts', '--quiet']).stdout).toBe(`${id}\n`)
  })

  it('is settled by writing the field again, be it with the value that won', () => {
    const { mine, theirs, id } = twoStores()
    as('ada', mine, 'edit', id, '--title', 'Title of ada')
    as('ada', mine, 'status', id, 'paused')
    as('bob', theirs, 'edit', id, '--title', 'Title of bob')
    as('bob', theirs, 'status', id, 'deferred')
    take(mine, theirs)
    expect(json(mine, 'list', '--conflicts').map(({ field }: { field: string }) => field)).toEqual(['status', 'title'])
    const { title, status } = json(mine, 'show', id)
    as('ada', mine, 'edit', id, '--title', title)
    as('ada', mine, 'status', id, status)
    expect(json(mine, 'list', '--conflicts')).toEqual([])
    take(theirs, mine)
    expect(json(theirs, 'list', '--conflicts')).toEqual([])
    expect(json(theirs, 'show', id)).toEqual(json(mine, 'show', id))
  })

  it('shows who claimed the same issue and lost', () => {
    const { mine, theirs, id } = twoStores()
    as('ada', mine, 'claim', id)
    as('bob', theirs, 'claim', id)
    take(mine, theirs)
    const [found, ...others] = json(mine, 'list', '--conflicts')
    expect(others).toEqual([])
    expect(conflict.parse(found)).toMatchObject({
      field: 'claim',
      sides: [
        { by: 'bob', value: 'bob', wins: true },
        { by: 'ada', value: 'ada', wins: false },
      ],
      settle: null,
    })
    expect(tissue(mine, ['list', '--conflicts']).stdout).toMatch(
      / {2}lost {2}ada {2}20\S+Z\n {2}who lost has to stop\n$/,
    )
  })

  it('names the reason that lost where both have closed it, until somebody gives one', () => {
    const { mine, theirs, id } = twoStores()
    as('ada', mine, 'close', id, '--reason', 'fixed in a1')
    as('bob', theirs, 'close', id, '--reason', 'cannot be fixed')
    take(mine, theirs)
    take(theirs, mine)
    expect(json(mine, 'list', '--conflicts')).toEqual(json(theirs, 'list', '--conflicts'))
    const [found, ...others] = json(mine, 'list', '--conflicts')
    expect(others).toEqual([])
    expect(conflict.parse(found)).toMatchObject({
      field: 'close_reason',
      settle: expect.stringMatching(/^tissue close \S+ --reason TEXT$/),
    })
    const sides: { by: string; value: string; wins: boolean }[] = found.sides
    expect(sides.map(({ by, value, wins }) => [by, value, wins])).toEqual([
      ['bob', 'cannot be fixed', true],
      ['ada', 'fixed in a1', false],
    ])
    expect(json(mine, 'show', id)).toMatchObject({
      status: 'closed',
      close_reason: 'cannot be fixed',
      conflicts: ['close_reason'],
    })
    // Who closes what is closed, and gives no reason, has nothing to add.
    as('eve', mine, 'close', id)
    expect(json(mine, 'list', '--conflicts')).toHaveLength(1)
    as('eve', mine, 'close', id, '--reason', 'both')
    expect([json(mine, 'list', '--conflicts'), json(mine, 'show', id).close_reason]).toEqual([[], 'both'])
  })

  it('has no close that a claim elsewhere takes back: both clones see it closed, until somebody opens it who has seen that', () => {
    const { mine, theirs, id } = twoStores()
    as('ada', mine, 'claim', id)
    as('ada', mine, 'close', id)
    as('bob', theirs, 'comment', id, '-m', 'before it')
    as('bob', theirs, 'claim', id)
    take(mine, theirs)
    take(theirs, mine)
    for (const root of [mine, theirs]) expect(json(root, 'show', id)).toMatchObject({ status: 'closed', claim: null })
    expect(json(mine, 'list', '--conflicts')).toEqual(json(theirs, 'list', '--conflicts'))
    expect(tissue(theirs, ['claim', '--renew', id, '--as', 'bob']).code).toBe(5)
    as('bob', theirs, 'reopen', id)
    take(mine, theirs)
    expect(json(mine, 'show', id)).toMatchObject({ status: 'open', claim: null })
  })

  it('lists at most as many as asked for, and says so', () => {
    const { mine, theirs, id } = twoStores()
    as('ada', mine, 'edit', id, '--title', 'One', '--body', 'one')
    as('bob', theirs, 'edit', id, '--title', 'Two', '--body', 'two')
    take(mine, theirs)
    const { stdout, stderr } = tissue(mine, ['list', '--conflicts', '--limit', '1'])
    expect([stdout.match(/settle with/g)?.length, stderr]).toEqual([1, '1 of 2 shown; --limit shows more\n'])
    const narrowed = ['list', '--conflicts', '--query']
    expect(
      tissue(mine, [...narrowed, 'title:one', '-q']).stdout + tissue(mine, [...narrowed, 'title:two', '-q']).stdout,
    ).toBe(`${id}\n${id}\n`)
  })
})
