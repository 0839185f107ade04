import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runConsoleBlocks, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { guide } from '../src/verb-guide.ts'
import { freshBus } from './bus.ts'

const page = fileURLToPath(new URL('../../../docs/jwz.md', import.meta.url))

describe('docs/jwz.md', () => {
  it('has examples that print what it says', () => {
    expect(runConsoleBlocks(page, { cwd: tempRepo() })).toEqual([])
  })

  it('tells every verb, and the message of what is refused', () => {
    const text = readFileSync(page, 'utf8')
    const { jwz, post } = freshBus()
    post('t', 'x')
    const refused: [args: string[], code: number, input?: Uint8Array][] = [
      [['post', 't', '-m', ''], 2],
      [['post', 't'], 2],
      [['post', 't', 'hello'], 2],
      [['post', 't', '-'], 2, Uint8Array.of(0xff)],
      [['post', 'a::b', '-m', 'x'], 2],
      [['post', 't', '-m', 'x', '--as', ''], 2],
      [['show', 'abc'], 2],
      [['search', 'zebra'], 3],
      [['lease', 'acquire', ''], 2],
      [['lease', 'acquire', '--steal', 'deploy'], 2],
      [['lease', 'acquire', '--renew', 'deploy'], 3],
      [['read', 't', '--since', 'yesterday'], 2],
    ]
    for (const [args, code, input] of refused) {
      const result = jwz(args, input ? { input } : {})
      expect(result.code).toBe(code)
      expect(text).toContain(`| ${result.stderr.trim().replace(/^jwz: /, '')} | ${code} |`)
    }
    const told = [...text.matchAll(/^### (.*)$/gm)].flatMap(([, title = '']) => title.split(', '))
    const names = told.map((title) => title.replace(/ .*/, ''))
    const untold = Object.values(guide.groups).flatMap((words) => words.filter((word) => !names.includes(word)))
    expect(untold, 'each verb has a section of docs/jwz.md').toEqual([])
    const anchors = [...text.matchAll(/\]\(#([a-z-]+)\)/g)].map(([, anchor]) => anchor)
    const titles = [...text.matchAll(/^##+ (.*)$/gm)].map(([, title = '']) =>
      title.replace(/,/g, '').replaceAll(' ', '-').toLowerCase(),
    )
    expect(titles).toEqual(expect.arrayContaining(anchors))
  })
})
