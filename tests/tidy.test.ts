import { describe, expect, it } from 'vitest'
import { packageComplaints, rules } from './tidy/rules.ts'
import { readSources, source } from './tidy/source.ts'

function complaintsAbout(path: string, text: string): string[] {
  return rules.flatMap((rule) => rule(source(path, text)))
}

const product = 'packages/jwz/src/text/thing.ts'
const table = `const kinds: Readonly<Record<string, number>> = { a: 1 }\nconst kind = kinds[word]\n`
const banned = ['as', 'any'].join(' ')

describe('the house style', () => {
  it('holds in every file', () => {
    expect(readSources().flatMap((file) => rules.flatMap((rule) => rule(file)))).toEqual([])
  })

  it('holds for every package', () => {
    expect(packageComplaints(readSources())).toEqual([])
  })
})

describe('the rules themselves', () => {
  it.each([
    ['a long file', product, 'export const a = 1\n'.repeat(301), /301|302/],
    ['a long function', product, `export function a() {\n${'  b()\n'.repeat(70)}}\n`, /a function of 72 lines/],
    ['a long line', product, `export const a = [${'1, '.repeat(50)}]\n`, /columns/],
    ['a drawer', 'packages/jwz/src/utils.ts', '', /name the file/],
    ['a barrel', product, "export { a } from './a.ts'\nexport * from './b.ts'\n", /only re-exports/],
    ['a tool that imports a tool', product, "import { a } from '@switchyard/tissue'\n", /a tool is no library/],
    ['a library that looks up', 'packages/jsonl/src/a.ts', "import { a } from '@switchyard/topic'\n", /downwards only/],
    [
      'a folder that imports upwards',
      'packages/guard/src/shell/a.ts',
      "import { a } from '../judge.ts'\n",
      /stands above shell/,
    ],
    ['a folder without a floor', 'packages/guard/src/other/a.ts', '', /other has no floor/],
    ['a package whose folders have none', 'packages/exec/src/a/b.ts', '', /give the folders of exec/],
    ['a second importer', product, "import lockfile from 'proper-lockfile'\n", /jsonl is the only importer/],
    ['zod outside a schema', product, "import * as z from 'zod'\n", /belongs where a schema is/],
    ['the process in a tool', product, 'const a = process.env\n', /only cli-kit touches the process/],
    ['a class that has copies', product, 'if (error instanceof Failure) a()\n', /isFailure/],
    ['an untyped value', product, `const a = b ${banned}\n`, /say the type/],
    ['an empty catch', product, 'try { a() } catch {}\n', /catch the code you expect/],
    ['a catch that hides', product, 'try { a() } catch (error) { return undefined }\n', /catch the code you expect/],
    [
      'what versions of Node see differently',
      product,
      'statSync(a, { throwIfNoEntry: false })\n',
      /ask ground\/at-path/,
    ],
    ['a table that has more names than its own', product, table, /make it a Map/],
    ['an unfinished thought', product, `// ${'TO'}DO: later\n`, /do it/],
    [
      'a comment that leans on its neighbour',
      product,
      `/** ${'The'} same of several. */\nexport const a = 1\n`,
      /name the thing/,
    ],
    ['a comment that begins in the middle', product, 'a()\n// Those of b.\nb()\n', /name the thing/],
    ['a machine path', 'docs/a.md', `see /${'work'}/here\n`, /no path of one machine/],
  ])('complain about %s', (_, path, text, complaint) => {
    expect(complaintsAbout(path, text).join('\n')).toMatch(complaint)
  })

  it('let the second line of a comment begin with any word', () => {
    expect(complaintsAbout(product, '// A list of the things\n// Of which there are some.\na()\n')).toEqual([])
  })

  it('leave good code alone', () => {
    expect(
      complaintsAbout(product, "import { Failure } from '@switchyard/ground/failure'\n\nexport const a = Failure\n"),
    ).toEqual([])
  })

  it('complain about a circle of files once, with all of its files', () => {
    const files = ['a', 'b', 'c'].map((name, at, all) =>
      source(`packages/exec/src/${name}.ts`, `import type { A } from './${all[(at + 1) % 3]}.ts'\n`),
    )
    const path = (name: string) => `packages/exec/src/${name}.ts`
    expect(packageComplaints(files).filter((text) => text.includes('circle'))).toEqual([
      `${path('a')}, ${path('b')}, ${path('c')}: import each other in a circle: move what both need to a file of its own`,
    ])
  })

  it('miss a package without a README and a verb without a test', () => {
    const files = [
      source('packages/jwz/src/commands/topic-list.ts', ''),
      source('packages/jwz/test/a.test.ts', "run('jwz', ['post'])"),
    ]
    expect(packageComplaints(files)).toEqual([
      'packages/jwz: has no README.md',
      'packages/jwz: has no CHANGELOG.md',
      'packages/jwz/src/commands/topic-list.ts: no test runs topic list: give it one that runs the built tool',
    ])
  })
})
