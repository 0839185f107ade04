import { describe, expect, it } from 'vitest'
import { circle, link as linkSchema, tree } from '../src/schema/graph-schemas.ts'
import { idOf, link, storeWith } from './graph.ts'
import { json, tissue } from './tissue.ts'

const hostile = 'x"] end <b>%% `a` ]]\\ #quot; | {x}'

function work() {
  return storeWith(
    [
      { id: idOf('epic'), title: 'Rework login' },
      { id: idOf('aaaa'), title: 'Old', status: 'closed' },
      { id: idOf('bbbb'), title: 'Forms', priority: 3 },
      { id: idOf('cccc'), title: 'Keys', priority: 1 },
      { id: idOf('dddd'), title: 'Docs' },
      { id: idOf('eeee'), title: 'Release' },
    ],
    [
      ...['aaaa', 'bbbb', 'cccc'].map((name) => link('epic', 'parent', name)),
      link('cccc', 'blocks', 'bbbb'),
      link('epic', 'blocks', 'dddd'),
      link('dddd', 'blocks', 'eeee'),
      link('bbbb', 'blocks', 'eeee'),
      link('bbbb', 'relates', 'eeee'),
    ],
  )
}

describe('tissue tree', () => {
  it('shows each issue once, below what it is a part of or waits for', () => {
    expect(tissue(work(), ['tree'])).toEqual({
      code: 0,
      stderr: '',
      stdout: `app-epic  P2  open  Rework login  1/3 done 33%, 1 ready
├─ app-cccc  P1  ready  Keys
├─ app-bbbb  P3  blocked  Forms  waits for app-cccc
├↓ app-eeee  P2  blocked  Release  waits for app-dddd
└→ app-dddd  P2  blocked  Docs
`,
    })
  })

  it('shows closed issues with --all, one issue, what it waits for with --up, and the kinds asked for', () => {
    const root = work()
    expect(tissue(root, ['tree', '--all']).stdout).toContain('─ app-aaaa  P2  closed  Old\n')
    expect(tissue(root, ['tree', 'bbbb']).stdout).toBe(
      'app-bbbb  P3  blocked  Forms  waits for app-cccc\n↓ app-eeee  P2  blocked  Release  waits for app-dddd\n',
    )
    expect(
      tissue(root, ['tree', 'eeee', '--up']).stdout,
    ).toBe(`app-eeee  P2  blocked  Release  waits for app-bbbb, app-dddd
├→ app-dddd  P2  blocked  Docs  waits for app-epic
├↓ app-epic  P2  open  Rework login  1/3 done 33%, 1 ready
├→ app-bbbb  P3  blocked  Forms  waits for app-cccc
└↓ app-cccc  P1  ready  Keys
`)
    expect(tissue(root, ['tree', 'bbbb', '--kind', 'relates', '-q']).stdout).toBe(`${idOf('bbbb')}\n${idOf('eeee')}\n`)
    expect(tissue(root, ['tree', 'aaaa']).stdout).toBe('app-aaaa  P2  closed  Old\n')
  })

  it('folds what is too deep or too much, and says how much', () => {
    const root = work()
    const shallow = tissue(root, ['tree', '--depth', '1'])
    expect(shallow).toEqual({
      code: 0,
      stdout: 'app-epic  P2  open  Rework login  1/3 done 33%, 1 ready\n└─ … 4 more\n',
      stderr: '1 of 5 shown; --limit and --depth show more\n',
    })
    const few = tissue(root, ['tree', '--limit', '2'])
    expect(few.stdout.split('\n').at(-2)).toBe('└─ … 3 more')
    expect(json(root, 'tree', '--all')).toMatchObject({ left: 0 })
    const cut = tissue(root, ['tree', '--limit', '3', '--json'])
    expect(tree.parse(JSON.parse(cut.stdout))).toMatchObject({ left: 2, roots: [idOf('epic')] })
  })

  it('gives nodes and links as JSON', () => {
    const found = tree.parse(json(work(), 'tree'))
    expect(found.nodes.map(({ id, above, state }) => [id, above, state])).toEqual([
      [idOf('cccc'), idOf('epic'), 'ready'],
      [idOf('epic'), undefined, 'open'],
      [idOf('dddd'), idOf('epic'), 'blocked'],
      [idOf('eeee'), idOf('bbbb'), 'blocked'],
      [idOf('bbbb'), idOf('epic'), 'blocked'],
    ])
    expect(found.nodes[1]?.progress).toEqual({ done: 1, total: 3, ready: 1 })
    expect(found.links).toHaveLength(6)
    for (const name of ['tree', 'link', 'circle']) {
      const schema = tissue(work(), ['schema', name])
      expect(JSON.parse(schema.stdout)).toMatchObject({ type: 'object' })
    }
    expect(linkSchema.shape.kind.options).toContain('caused-by')
    expect(circle.shape.kind.options).not.toContain('relates')
  })

  it('draws for dot and mermaid, whatever the titles are', () => {
    const root = storeWith(
      [
        { id: idOf('aaaa'), title: hostile },
        { id: idOf('bbbb'), title: `${'long '.repeat(40)}end` },
      ],
      [link('aaaa', 'blocks', 'bbbb'), link('aaaa', 'supersedes', 'bbbb')],
    )
    const every = ['--kind', 'blocks', '--kind', 'supersedes', '--kind', 'parent']
    const dot = tissue(root, ['tree', '--format', 'dot', ...every]).stdout
    for (const line of dot.trimEnd().split('\n')) expect(line).toMatch(dotLine)
    expect(dot).toContain(String.raw`label="app-aaaa\nx\"] end <b>%% ${'`a`'} ]]\\ #quot; | {x}"`)
    const mermaid = tissue(root, ['tree', '--format', 'mermaid', ...every]).stdout
    for (const line of mermaid.trimEnd().split('\n')) expect(line).toMatch(mermaidLine)
    expect(mermaid).toContain('n0 --> n1\n')
    expect(mermaid).toContain('n0 -. supersedes .-> n1\n')
    expect(tissue(root, ['tree', '--format', 'dot', '--json']).code).toBe(2)
    expect(tissue(root, ['tree', '--format', 'svg']).code).toBe(2)
  })

  it('shows what a merge left in a circle, or with two parents, once', () => {
    const root = storeWith(
      ['aaaa', 'bbbb', 'cccc', 'dddd'],
      [
        ...[link('aaaa', 'parent', 'bbbb'), link('bbbb', 'parent', 'aaaa')],
        ...[link('cccc', 'parent', 'dddd'), link('aaaa', 'parent', 'dddd')],
      ],
    )
    const lines = tissue(root, ['tree']).stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect(tissue(root, ['tree', 'bbbb', '-q']).stdout.trimEnd().split('\n')).toHaveLength(3)
    expect(tissue(storeWith([], []), ['tree'])).toEqual({ code: 0, stdout: '', stderr: 'no issues\n' })
    expect(tissue(root, ['tree', 'nope']).code).toBe(3)
  })

  it('of 1,000 issues is readable: a line each, no line a staircase, the first page a summary', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => index)
    const links = names.flatMap((name) => {
      if (name === 0) return []
      if (name < 100) return [link(name - 1, 'blocks', name)]
      return [link(name % 20 === 0 ? 0 : name - (name % 20), 'parent', name), link(name - 7, 'blocks', name)]
    })
    const root = storeWith(
      names.map((name) => ({ id: idOf(`${name}x`), title: 'Work' })),
      links.map(({ kind, from, to }) => ({ kind, from: from.replace('z', 'x'), to: to.replace('z', 'x') })),
    )
    const whole = tissue(root, ['tree', '--limit', '1000'])
    const lines = whole.stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(1_000)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(120)
    expect(tissue(root, ['tree', '-q', '--limit', '1000']).stdout.trimEnd().split('\n').sort()).toEqual(
      names.map((name) => idOf(`${name}x`)).sort(),
    )
    const page = tissue(root, ['tree'])
    expect(page.stderr).toBe('200 of 1000 shown; --limit and --depth show more\n')
    const left = [...page.stdout.matchAll(/… (\d+) more/g)].map(([, count]) => Number(count))
    expect(left.reduce((sum, count) => sum + count, 0)).toBe(800)
  })
})

const quoted = String.raw`"(?:[^"\\]|\\.)*"`
const attributes = String.raw`\[\w+=(?:${quoted}|\w+)(?:, \w+=(?:${quoted}|\w+))*\]`
const dotLine = new RegExp(
  `^(?:digraph tissue \\{|  rankdir=LR|  node ${attributes}|  ${quoted}(?: -> ${quoted})? ${attributes}|\\})$`,
)
const mermaidText = String.raw`(?:[\p{L}\p{N} .,:/@_…-]|#\d+;|<br>)*`
const mermaidLine = new RegExp(
  `^(?:flowchart LR|  n\\d+\\["${mermaidText}"\\]:::\\w+|  n\\d+ (?:-->|-\\.-|-\\. [a-z-]+ \\.->) n\\d+|  classDef \\w+ [\\w:#,]+)$`,
  'u',
)
