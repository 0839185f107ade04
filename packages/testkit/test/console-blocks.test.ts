import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runConsoleBlocks, tempFolder } from '../src/index.ts'

function disagreements(page: string) {
  const cwd = tempFolder('page')
  writeFileSync(join(cwd, 'page.md'), page)
  return runConsoleBlocks(join(cwd, 'page.md'), { cwd })
}

describe('runConsoleBlocks', () => {
  it('finds nothing wrong with a page that is true, and keeps folder, variables and status from block to block', () => {
    const page = `
\`\`\`console
$ mkdir -p a/b; cd a; name="it's"
$ printf '%s\\n' one \\
> "$name"
one
it's
\`\`\`
text
\`\`\`sh
$ false
\`\`\`
\`\`\`console
$ basename "$PWD"; (exit 3)
a
$ echo "$? $name"; echo gone >&2
3 it's
gone
\`\`\`
`
    expect(disagreements(page)).toEqual([])
  })

  it('takes … for anything on a line, and a line of it for any number of lines', () => {
    const page = '```console\n$ seq 1 9; echo id 17 ok\n1\n…\n8\n9\nid … ok\n$ echo a\n…\na\n…\n```\n'
    expect(disagreements(page)).toEqual([])
  })

  it('names line, command and both outputs where the page is wrong, and goes on', () => {
    const page = '```console\n$ echo a.c\nabc\n$ echo surprise\n$ (\n$ echo end\nend\n```\n'
    expect(disagreements(page)).toEqual([
      { line: 2, command: 'echo a.c', expected: 'abc\n', printed: 'a.c\n' },
      { line: 4, command: 'echo surprise', expected: '', printed: 'surprise\n' },
      { line: 5, command: '(', expected: '', printed: expect.stringContaining('syntax error') },
    ])
  })
})
