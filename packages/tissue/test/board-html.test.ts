import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scaled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { page as pageSchema } from '../src/schema/graph-schemas.ts'
import { recordsIn } from './fixture.ts'
import { idOf, link, storeWith } from './graph.ts'
import { json, tissue } from './tissue.ts'

const hostile = `</script></style><script>alert(1)</script><img src=x onerror=alert(2)>"'&\u0001\u202e`
const tags = [
  ...['html', 'head', 'meta', 'title', 'link', 'style', 'body', 'input', 'header', 'h1', 'h2', 'h3', 'p', 'b', 'span'],
  ...['svg', 'rect', 'defs', 'marker', 'path', 'a', 'text', 'div', 'output', 'label', 'main', 'section', 'ol', 'ul'],
  ...[
    'li',
    'strong',
    'progress',
    'article',
    'dl',
    'dt',
    'dd',
    'time',
    'bdi',
    'code',
    'pre',
    'button',
    'footer',
    'script',
  ],
]

function pageOf(root: string): string {
  const { code, stdout, stderr } = tissue(root, ['board', '--html'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

function hostileStore() {
  const root = storeWith(
    [
      {
        id: idOf('aaaa'),
        title: hostile,
        body: `\u0000${hostile}\n\n\`\`\`\n${hostile}\n\`\`\`\nsee https://example.org/"><b>`,
        tags: [hostile],
        acceptance: hostile,
        assignee: hostile,
        refs: [hostile],
        meta: { [hostile]: hostile },
        issue_type: 'bug',
      },
      { id: idOf('bbbb'), title: 'Plain' },
    ],
    [link('aaaa', 'blocks', 'bbbb'), link('aaaa', 'relates', 'nowhere')],
  )
  expect(tissue(root, ['comment', 'aaaa', '-m', hostile, '--as', 'eve<b>']).code).toBe(0)
  expect(tissue(root, ['claim', 'aaaa', '--as', `eve"'<b>`]).code).toBe(0)
  return root
}

/** The page without what stands in script, style and text: its tags. */
function tagsIn(page: string): string[] {
  return page.replace(/<(script|style)>[\s\S]*?<\/\1>/g, '<$1></$1>').match(/<[^!/][^>]*>/g) ?? []
}

describe('tissue board --html', () => {
  it('is made of our own tags only, whatever the issues say', () => {
    const page = pageOf(hostileStore())
    for (const tag of tagsIn(page)) {
      const [, name = ''] = /^<([a-z0-9]+)[\s/>]/i.exec(tag) ?? []
      expect(tags).toContain(name)
      expect(tag).not.toMatch(/\son\w+\s*=|javascript:|\ssrc\s*=|\sstyle\s*=/i)
    }
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page.match(/<\/script/g)).toHaveLength(1)
    expect(page).not.toMatch(/[\0\u0001]/)
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  it('needs nothing else and runs only its own script and style', () => {
    const page = pageOf(hostileStore())
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    for (const kind of ['script', 'style']) {
      const [, text = ''] = new RegExp(`<${kind}>([\\s\\S]*?)</${kind}>`).exec(page) ?? []
      const hash = createHash('sha256').update(text).digest('base64')
      expect(policy).toContain(`${kind}-src 'sha256-${hash}'`)
    }
    const links = [...page.matchAll(/(?:href|src|url)=?["(]([^")]*)/g)].map(([, target = '']) => target)
    expect(links.filter((target) => !/^(#|data:,$|https:\/\/example\.org\/)/.test(target))).toEqual([])
  })

  it('has every issue in its column, with a panel that its card leads to without any script', () => {
    const root = storeWith(
      [
        { id: idOf('epic'), title: 'Rework login', issue_type: 'epic' },
        { id: idOf('aaaa'), title: 'Forms', status: 'closed' },
        { id: idOf('bbbb'), title: 'Keys', body: 'With `code`.' },
        { id: idOf('cccc'), title: 'Docs', status: 'paused' },
        { id: idOf('dddd'), title: 'Later', status: 'deferred' },
      ],
      [...['aaaa', 'bbbb'].map((name) => link('epic', 'parent', name)), link('bbbb', 'blocks', 'epic')],
    )
    expect(tissue(root, ['claim', 'bbbb', '--as', 'grace']).code).toBe(0)
    const page = pageOf(root)
    const columns = [...page.matchAll(/<section class="column [\s\S]*?<\/section>/g)].map(([text]) => text)
    const inColumns = columns.map((text) => [...text.matchAll(/href="#i-app-(\w{4})/g)].map(([, name]) => name))
    expect(inColumns).toEqual([[], ['bbbb'], ['epic'], ['cccc', 'dddd'], ['aaaa']])
    const targets = [...page.matchAll(/href="#(i-[^"]+)"/g)].map(([, target = '']) => target)
    const panels = [...page.matchAll(/<article class="detail \w+" id="([^"]+)"/g)].map(([, id = '']) => id)
    expect(panels).toHaveLength(5)
    expect(targets.filter((target) => !panels.includes(target))).toEqual([])
    expect(page).toContain('With <code>code</code>.')
    expect(page).toContain('1/2 done 50%')
    expect(page).toContain('@grace')
    expect(page).toContain(`<path class="waits" marker-end="url(#head-waits)" data-from="i-${idOf('bbbb')}"`)
    expect(page).toMatch(/<input type="search"[^>]* hidden>/)
  })

  it('goes whole or not at all into a file outside the store, and prints its path', () => {
    const root = storeWith(['aaaa'], [])
    const before = recordsIn(root)
    const path = join(root, 'board.html')
    expect(tissue(root, ['board', '--html', '-o', 'board.html'])).toEqual({ code: 0, stdout: `${path}\n`, stderr: '' })
    expect(readFileSync(path, 'utf8')).toContain('<!doctype html>')
    expect(pageSchema.parse(json(root, 'board', '--html', '--out', 'board.html'))).toEqual({ v: 1, path })
    mkdirSync(join(root, 'folder'))
    for (const out of ['folder', '.tissue/board.html', '.tissue']) {
      expect(tissue(root, ['board', '--html', '-o', out]).code).toBe(2)
    }
    expect(tissue(root, ['board', '--html', '-o', '/dev/null'])).toMatchObject({ code: 2, stdout: '' })
    expect(tissue(root, ['board', '-o', 'board.html']).code).toBe(2)
    expect(tissue(root, ['board', '--html', '--json']).code).toBe(2)
    expect(readdirSync(root).sort()).toEqual(['.tissue', 'board.html', 'folder'])
    expect(recordsIn(root)).toEqual(before)
    expect(pageOf(storeWith([], []))).toContain('No open issue is linked to another.')
  })

  it('holds thousands of issues, each with its panel', () => {
    const names = Array.from({ length: scaled(5_000) }, (_, index) => `${index}x`)
    const links = names.slice(1).map((name, index) => link(names[Math.floor(index / 3)] ?? '', 'blocks', name))
    const page = pageOf(storeWith(names, links))
    expect(page.match(/<article /g)).toHaveLength(names.length)
    expect(page.match(/<a class="box /g)).toHaveLength(names.length)
  })

  it('runs its script in a browser', () => {
    const root = hostileStore()
    expect(tissue(root, ['board', '--html', '-o', 'board.html']).code).toBe(0)
    const profile = `--user-data-dir=${join(root, 'profile')}`
    const headless = ['--headless', '--no-sandbox', '--disable-gpu', profile, '--dump-dom']
    const address = `file://${join(root, 'board.html')}#i-${idOf('bbbb')}`
    const { stdout } = spawnSync('chromium', [...headless, address], { encoding: 'utf8' })
    const shown = String(stdout)
    expect(shown).toMatch(/<input type="search"(?![^>]* hidden)/)
    expect(shown).toContain(`class="box blocked is-open lit" href="#i-${idOf('bbbb')}"`)
    expect(shown.match(/<script/g)).toHaveLength(1)
  })
})
