import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, full, run, scaled, start, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { recordsIn, repoWithIssues } from './fixture.ts'
import { idOf, link, logLines, storeWith } from './graph.ts'
import { json, tissue } from './tissue.ts'

const k3vd = 'auth-k3vd7rm2w9ht'
const x9qa = 'auth-x9qa4c81n0fz'
const m5t0 = 'auth-m5t0j6y3e8bp'

function small() {
  return storeWith(['epic', 'aaaa', 'bbbb', 'cccc'], [link('epic', 'parent', 'aaaa')])
}

describe('tissue dep add and dep rm', () => {
  it('say what they did, and a circle is refused with its way', () => {
    const root = repoWithIssues()
    const before = recordsIn(root).length
    expect(tissue(root, ['dep', 'add', 'x9qa', 'blocks', 'k3vd'])).toEqual({
      code: 5,
      stdout: '',
      stderr: `tissue: expected no circle, this would make one: ${x9qa} blocks ${k3vd} blocks ${x9qa}; remove one link with tissue dep rm\n`,
    })
    const { stderr } = tissue(root, ['dep', 'add', 'x9qa', 'blocks', 'k3vd', '--json'])
    const { error } = JSON.parse(stderr.split('\n').at(-2) ?? '')
    expect(error).toMatchObject({ code: 'conflict', retryable: false })
    expect(recordsIn(root)).toHaveLength(before)
    expect(tissue(root, ['dep', 'rm', 'k3vd', 'blocks', 'x9qa']).stdout).toBe('no longer: auth-k3vd blocks auth-x9qa\n')
    expect(tissue(root, ['dep', 'add', 'x9qa', 'blocks', 'k3vd']).stdout).toBe('auth-x9qa blocks auth-k3vd\n')
    expect(recordsIn(root).slice(before)).toMatchObject([
      { type: 'unlinked', issue: k3vd, kind: 'blocks', target: x9qa, by: 'ada' },
      { type: 'linked', issue: x9qa, kind: 'blocks', target: k3vd, by: 'ada' },
    ])
    expect(json(root, 'dep', 'add', 'x9qa', 'parent', 'm5t0')).toEqual({ v: 1, kind: 'parent', from: x9qa, to: m5t0 })
    expect(json(root, 'show', 'k3vd').blocked_by).toEqual([x9qa])
  })

  it('know every kind, and read it from both sides', () => {
    const root = storeWith(['aaaa', 'bbbb'], [])
    const said = [
      ['blocks', 'blocks', 'is blocked by'],
      ['relates', 'relates to', 'relates to'],
      ['parent', 'is the parent of', 'is a child of'],
      ['discovered-from', 'was discovered from', 'led to'],
      ['duplicates', 'duplicates', 'is duplicated by'],
      ['supersedes', 'supersedes', 'is superseded by'],
      ['caused-by', 'is caused by', 'is the cause of'],
    ] as const
    for (const [kind, forward, backward] of said) {
      expect(tissue(root, ['dep', 'add', 'aaaa', kind, 'bbbb']).stdout).toBe(`app-aaaa ${forward} app-bbbb\n`)
      const there = tissue(root, ['dep', 'list', 'bbbb', '--kind', kind]).stdout
      expect(there).toBe(`app-bbbb ${backward} app-aaaa  aaaa\n`)
      expect(tissue(root, ['show', 'bbbb']).stdout).toContain(` ${backward} `)
      expect(tissue(root, ['dep', 'rm', 'aaaa', kind, 'bbbb']).stdout).toBe(`no longer: app-aaaa ${forward} app-bbbb\n`)
    }
    const unknown = tissue(root, ['dep', 'add', 'aaaa', 'eats', 'bbbb'])
    expect(unknown).toMatchObject({ code: 2, stdout: '' })
    expect(unknown.stderr).toContain('expected a kind of link, got "eats"; one of blocks, relates, parent')
  })

  it('take several issues, all or none', () => {
    const root = small()
    const before = recordsIn(root).length
    expect(tissue(root, ['dep', 'add', 'aaaa', 'blocks', 'bbbb', 'nope']).code).toBe(3)
    expect(tissue(root, ['dep', 'add', 'aaaa', 'blocks', 'bbbb', 'aaaa']).code).toBe(2)
    expect(recordsIn(root)).toHaveLength(before)
    expect(tissue(root, ['dep', 'add', 'aaaa', 'blocks', 'bbbb', 'cccc', 'bbbb'])).toEqual({
      code: 0,
      stdout: 'app-aaaa blocks app-bbbb\napp-aaaa blocks app-cccc\n',
      stderr: '',
    })
    expect(recordsIn(root).slice(before)).toMatchObject([{ type: 'batch', events: [{ target: idOf('bbbb') }, {}] }])
    expect(tissue(root, ['dep', 'add', 'aaaa', 'blocks', 'bbbb', '--quiet']).stdout).toBe(`${idOf('bbbb')}\n`)
    expect(recordsIn(root)).toHaveLength(before + 1)
    expect(json(root, 'dep', 'rm', 'aaaa', 'blocks', 'bbbb', 'cccc')).toHaveLength(2)
    expect(tissue(root, ['dep', 'rm', 'aaaa', 'blocks', 'bbbb'])).toEqual({
      code: 0,
      stdout: 'no longer: app-aaaa blocks app-bbbb\n',
      stderr: 'there was no such link\n',
    })
  })

  it('give a child one parent; --force moves it in one line', () => {
    const root = small()
    expect(tissue(root, ['dep', 'add', 'bbbb', 'parent', 'aaaa'])).toEqual({
      code: 5,
      stdout: '',
      stderr: `tissue: expected ${idOf('aaaa')} to have no parent yet, it is a child of ${idOf('epic')}; tissue dep add --force moves it\n`,
    })
    expect(tissue(root, ['dep', 'add', 'bbbb', 'parent', 'aaaa', '--force']).stdout).toBe(
      'app-bbbb is the parent of app-aaaa\n',
    )
    expect(recordsIn(root).at(-1)).toMatchObject({ type: 'batch', events: [{ type: 'unlinked' }, { type: 'linked' }] })
    expect(tissue(root, ['dep', 'list', 'aaaa']).stdout).toBe('app-aaaa is a child of app-bbbb  bbbb\n')
  })

  it('refuse what would keep an issue waiting for ever, and let an epic wait for its children', () => {
    const root = small()
    expect(tissue(root, ['block', 'epic', '--by', 'aaaa']).code).toBe(0)
    expect(tissue(root, ['ready', '--quiet']).stdout).toContain(idOf('aaaa'))
    expect(tissue(root, ['block', 'epic', '--by', 'bbbb']).code).toBe(0)
    expect(tissue(root, ['ready', '--quiet']).stdout).not.toContain(idOf('aaaa'))
    expect(tissue(root, ['block', 'bbbb', '--by', 'aaaa']).stderr).toBe(
      `tissue: expected no circle, this would make one: ${idOf('bbbb')} waits for ${idOf('aaaa')}, which is held back with its parent ${idOf('epic')}, which waits for ${idOf('bbbb')}; remove one link with tissue dep rm\n`,
    )
  })
})

describe('tissue block', () => {
  it('makes an issue wait, and says so from its side', () => {
    const root = small()
    expect(tissue(root, ['block', 'aaaa', '--by', 'bbbb'])).toEqual({
      code: 0,
      stdout: 'app-aaaa is blocked by app-bbbb\n',
      stderr: '',
    })
    expect(recordsIn(root).at(-1)).toMatchObject({ type: 'linked', issue: idOf('bbbb'), target: idOf('aaaa') })
    expect(json(root, 'block', 'aaaa', '--by', 'cccc')).toEqual({ v: 1, ...link('cccc', 'blocks', 'aaaa') })
    expect(tissue(root, ['block', 'aaaa', '--by', 'bbbb', '--by', 'cccc', '-q']).stdout).toBe(
      `${idOf('bbbb')}\n${idOf('cccc')}\n`,
    )
    expect(json(root, 'show', 'aaaa').blocked_by).toEqual([idOf('bbbb'), idOf('cccc')])
  })

  it('refuses nothing to wait for, itself, a circle and what is not there', () => {
    const root = small()
    const before = recordsIn(root)
    expect(tissue(root, ['block', 'aaaa'])).toMatchObject({ code: 2, stdout: '' })
    expect(tissue(root, ['block', 'aaaa', '--by', 'aaaa']).code).toBe(2)
    expect(tissue(root, ['block', 'aaaa', '--by', 'epic']).code).toBe(5)
    expect(tissue(root, ['block', 'aaaa', '--by', 'zzzz']).code).toBe(3)
    expect(tissue(root, ['block', 'aaaa', '--by', 'bbbb', '--by', 'zzzz']).code).toBe(3)
    expect(recordsIn(root)).toEqual(before)
  })
})

describe('tissue dep list', () => {
  it('lists the links of an issue from its side, or all of them', () => {
    const root = storeWith(
      ['epic', 'aaaa', 'bbbb', { id: idOf('done'), title: 'Old work', status: 'closed' }],
      [link('epic', 'parent', 'aaaa'), link('done', 'blocks', 'aaaa'), link('aaaa', 'relates', 'bbbb')],
    )
    expect(tissue(root, ['dep', 'list', 'aaaa']).stdout).toBe(
      'app-aaaa is a child of app-epic  epic\napp-aaaa is blocked by app-done  Old work  (over)\napp-aaaa relates to app-bbbb  bbbb\n',
    )
    expect(tissue(root, ['dep', 'list', 'aaaa', '-q']).stdout).toBe(
      `${idOf('epic')}\n${idOf('done')}\n${idOf('bbbb')}\n`,
    )
    expect(tissue(root, ['dep', 'list', '--kind', 'blocks', '--kind', 'parent']).stdout).toBe(
      'app-epic is the parent of app-aaaa\napp-done blocks app-aaaa\n',
    )
    expect(tissue(root, ['dep', 'list', '--limit', '1'])).toEqual({
      code: 0,
      stdout: 'app-epic is the parent of app-aaaa\n',
      stderr: '1 of 3 shown; --limit shows more\n',
    })
    expect(json(root, 'dep', 'list', 'bbbb')).toEqual([{ v: 1, ...link('aaaa', 'relates', 'bbbb') }])
    expect(tissue(root, ['dep', 'list', 'bbbb', '--kind', 'blocks'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'no links\n',
    })
    expect(tissue(root, ['dep', 'list', 'nope']).code).toBe(3)
    expect(tissue(root, ['dep', 'list', '--kind', 'eats']).code).toBe(2)
  })
})

describe('tissue dep cycles', () => {
  it('names the circle that two clones made together, and finds none when one link is gone', () => {
    const ours = small()
    const theirs = tempFolder('clone')
    const copy = ['--store', join(theirs, '.tissue')]
    expect(run('tissue', ['import', join(ours, '.tissue/issues.jsonl'), ...copy, '-q'], { cwd: theirs }).code).toBe(0)
    expect(tissue(ours, ['block', 'bbbb', '--by', 'cccc']).code).toBe(0)
    expect(tissue(theirs, ['block', 'cccc', '--by', 'bbbb', ...copy]).code).toBe(0)
    expect(tissue(ours, ['dep', 'cycles'])).toEqual({ code: 0, stdout: '', stderr: 'no circles\n' })
    const merged = readFileSync(join(theirs, '.tissue/issues.jsonl'), 'utf8').trimEnd().split('\n').at(-1)
    appendFileSync(join(ours, '.tissue/issues.jsonl'), `${merged}\n`)
    expect(tissue(ours, ['dep', 'cycles'])).toEqual({
      code: 1,
      stdout: 'app-cccc blocks app-bbbb blocks app-cccc\n',
      stderr: '',
    })
    const found = tissue(ours, ['dep', 'cycles', '--json'])
    expect({ ...found, stdout: JSON.parse(found.stdout) }).toEqual({
      code: 1,
      stdout: [
        {
          v: 1,
          kind: 'blocks',
          path: [idOf('cccc'), idOf('bbbb'), idOf('cccc')],
          links: [link('cccc', 'blocks', 'bbbb'), link('bbbb', 'blocks', 'cccc')],
          text: 'app-cccc blocks app-bbbb blocks app-cccc',
        },
      ],
      stderr: '',
    })
    expect(tissue(ours, ['block', 'aaaa', '--by', 'cccc']).code).toBe(0)
    expect(tissue(ours, ['dep', 'rm', 'cccc', 'blocks', 'bbbb']).code).toBe(0)
    expect(json(ours, 'dep', 'cycles')).toEqual([])
  })
})

describe('links made at the same time', () => {
  it('are no circle: of two that would close one together the later is refused', async () => {
    const root = storeWith(['aaaa', 'bbbb'], [])
    const env = { JWZ_AGENT: 'ada' }
    for (let round = 0; round < scaled(100); round += 1) {
      const both = [
        start('tissue', ['block', 'aaaa', '--by', 'bbbb'], { cwd: root, env }),
        start('tissue', ['block', 'bbbb', '--by', 'aaaa'], { cwd: root, env }),
      ]
      const codes = (await Promise.all(both.map(({ done }) => done))).map(({ code }) => code)
      expect(codes.sort()).toEqual([0, 5])
      expect(tissue(root, ['dep', 'cycles']).code).toBe(0)
      for (const [from, to] of [['aaaa', 'bbbb'] as const, ['bbbb', 'aaaa'] as const]) {
        expect(tissue(root, ['dep', 'rm', from, 'blocks', to]).code).toBe(0)
      }
    }
  })
})

describe('a move to another parent', () => {
  it('is there whole or not at all, wherever it is killed', () => {
    const args = ['dep', 'add', 'bbbb', 'parent', 'aaaa', '--force']
    let isDone = false
    for (let nth = 1; !isDone; nth += full ? 1 : 11) {
      const root = small()
      const env = { JWZ_AGENT: 'ada', ...faultEnv({ call: '*', nth, action: 'kill' }) }
      const moved = run('tissue', args, { cwd: root, env })
      isDone = moved.code === 0
      const parents = tissue(root, ['dep', 'list', 'aaaa', '--kind', 'parent', '-q']).stdout
      if (isDone) expect(parents).toBe(`${idOf('bbbb')}\n`)
      else expect([`${idOf('epic')}\n`, `${idOf('bbbb')}\n`]).toContain(parents)
      expect(tissue(root, args).code).toBe(0)
    }
  })
})

describe('a chain of 5,000 issues', () => {
  it('is closed to a circle by no link, and no import or plan of it is walked again and again', () => {
    const names = Array.from({ length: 5_000 }, (_, index) => index)
    const chain = names.slice(1).map((name) => link(name - 1, 'blocks', name))
    const root = storeWith(
      names.map((name) => ({ id: idOf(`${name}x`) })),
      chain.map(({ kind, from, to }) => ({ kind, from: from.replace('z', 'x'), to: to.replace('z', 'x') })),
    )
    const refused = tissue(root, ['dep', 'add', idOf('4999x'), 'blocks', idOf('0x')])
    expect(refused).toMatchObject({ code: 5, stdout: '' })
    expect(refused.stderr).toContain(`${idOf('4999x')} blocks ${idOf('0x')} blocks ${idOf('1x')} blocks`)
    expect(refused.stderr).toContain('… 4988 more …')
    expect(refused.stderr.length).toBeLessThan(600)
    expect(tissue(root, ['dep', 'add', idOf('0x'), 'blocks', idOf('4999x')]).code).toBe(0)
    const closing = logLines([], [{ kind: 'blocks', from: idOf('4999x'), to: idOf('0x') }], 20_000)
    expect(run('tissue', ['import', '-'], { cwd: root, input: closing }).code).toBe(0)
    expect(tissue(root, ['dep', 'cycles']).code).toBe(1)
  })
})
