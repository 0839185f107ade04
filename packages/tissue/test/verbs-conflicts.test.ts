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

describe('tissue conflicts', () => {
  it('lists nothing, with 0, where nobody disagrees', () => {
    const { mine } = twoStores()
    expect(tissue(mine, ['conflicts'])).toEqual({ code: 0, stdout: '', stderr: 'no conflicts\n' })
    expect(tissue(mine, ['conflicts', '--json']).stdout).toBe('[]\n')
    expect(tissue(tempFolder('none'), ['conflicts', '--jsonl'])).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('shows both sides of a field, who wrote them and when, alike in both stores', () => {
    const { mine, theirs, id } = twoStores()
    as('ada', mine, 'edit', id, '--title', 'Title of ada', '--priority', '1')
    as('bob', theirs, 'edit', id, '--title', 'Title of bob', '--priority', '1')
    take(mine, theirs)
    take(theirs, mine)
    const found = json(mine, 'conflicts')
    expect(json(theirs, 'conflicts')).toEqual(found)
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
    const { stdout } = tissue(mine, ['conflicts'])
    expect(stdout).toMatch(/^app-\S{4} {2}Title of \w+: title\n {2}wins {2}"Title of \w+" {2}\w+ {2}20\S+Z\n {2}lost /)
    expect(tissue(mine, ['conflicts', '--quiet']).stdout).toBe(`${id}\n`)
  })

  it('is settled by writing the field again, be it with the value that won', () => {
    const { mine, theirs, id } = twoStores()
    as('ada', mine, 'edit', id, '--title', 'Title of ada')
    as('ada', mine, 'status', id, 'paused')
    as('bob', theirs, 'edit', id, '--title', 'Title of bob')
    as('bob', theirs, 'status', id, 'deferred')
    take(mine, theirs)
    expect(json(mine, 'conflicts').map(({ field }: { field: string }) => field)).toEqual(['status', 'title'])
    const { title, status } = json(mine, 'show', id)
    as('ada', mine, 'edit', id, '--title', title)
    as('ada', mine, 'status', id, status)
    expect(json(mine, 'conflicts')).toEqual([])
    take(theirs, mine)
    expect(json(theirs, 'conflicts')).toEqual([])
    expect(json(theirs, 'show', id)).toEqual(json(mine, 'show', id))
  })

  it('shows who claimed the same issue and lost', () => {
    const { mine, theirs, id } = twoStores()
    as('ada', mine, 'claim', id)
    as('bob', theirs, 'claim', id)
    take(mine, theirs)
    const [found, ...others] = json(mine, 'conflicts')
    expect(others).toEqual([])
    expect(conflict.parse(found)).toMatchObject({
      field: 'claim',
      sides: [
        { by: 'ada', value: 'ada', wins: true },
        { by: 'bob', value: 'bob', wins: false },
      ],
      settle: null,
    })
    expect(tissue(mine, ['conflicts']).stdout).toMatch(/ {2}lost {2}bob {2}20\S+Z\n {2}who lost has to stop\n$/)
  })

  it('lists at most as many as asked for, and says so', () => {
    const { mine, theirs, id } = twoStores()
    as('ada', mine, 'edit', id, '--title', 'One', '--body', 'one')
    as('bob', theirs, 'edit', id, '--title', 'Two', '--body', 'two')
    take(mine, theirs)
    const { stdout, stderr } = tissue(mine, ['conflicts', '--limit', '1'])
    expect([stdout.match(/settle with/g)?.length, stderr]).toEqual([1, '1 of 2 shown; --limit shows more\n'])
  })
})
