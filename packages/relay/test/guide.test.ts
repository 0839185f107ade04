import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { run, runConsoleBlocks, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { serverOfTest } from './nats-server.ts'

const page = fileURLToPath(new URL('../../../docs/relay.md', import.meta.url))

describe('docs/relay.md', () => {
  it('has examples that print what it says', () => {
    expect(runConsoleBlocks(page, { cwd: tempFolder() })).toEqual([])
  })

  it('has the message of what is refused', async () => {
    const server = await serverOfTest()
    const text = readFileSync(page, 'utf8')
    const refused: [args: string[], code: number][] = [
      [[], 2],
      [['--nats', 'http://host'], 2],
      [['--nats', server.url, '--stream', 'a.b'], 2],
    ]
    for (const [args, code] of refused) {
      const { stderr, ...finished } = run('jwz-relay', args, { cwd: tempFolder() })
      expect(finished).toMatchObject({ code, stdout: '' })
      expect(text).toContain(`| ${stderr.trim().replace(/^jwz-relay: /, '')} | ${code} |`)
    }
  })
})
