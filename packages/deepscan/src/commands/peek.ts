import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { exitCodes, Failure } from '@switchyard/ground/failure'
import { type Block, readBlocks } from '../explore/blocks.ts'
import { type Excerpt, type LineRange, linesIn, textOfLines } from '../explore/excerpt.ts'
import { insideRoot } from '../explore/inside.ts'
import { fileLines } from '../explore/line-range.ts'
import { type OpenScan, openScan } from '../store/open-scan.ts'
import { readManifest } from '../store/read-records.ts'
import { readText } from '../store/read-text.ts'
import { rootOfPath } from '../walk/walk-files.ts'

/** `deepscan peek FILE[:L1-L2]`: lines of a file as they are. Exits 3 when the file has none of them. */
export const peek = defineVerb({
  summary: 'Print lines of a file of the project, as they are',
  args: [{ name: 'file', summary: 'A file, or lines of it: a.ts:7-9' }],
  flags: {
    head: { type: 'integer', value: 'N', min: 1, max: 1e9, summary: 'The first lines' },
    tail: { type: 'integer', value: 'N', min: 1, max: 1e9, summary: 'The last lines' },
    number: { type: 'boolean', short: 'n', summary: 'Put the number of each line before it' },
    session: { type: 'string', value: 'ID', summary: 'A file of this scan; fails when it has changed since' },
  },
  examples: ['deepscan peek src/a.ts', 'deepscan peek src/a.ts:7-9 -n', 'deepscan peek log.txt --tail 20'],
  run({ args, flags, cwd, env, output }) {
    const scan = flags.session === undefined ? undefined : openScan(env, cwd, flags.session)
    const root = scan?.scan.root ?? rootOfPath('.', { cwd, home: env['HOME'] })
    const { file, range } = fileLines(args.file, (path) => existsSync(resolve(cwd, path)))
    const { absolute, path, isFolder } = insideRoot(root, cwd, file)
    if (isFolder) throw new Failure('usage', `${file} is a folder`, { hint: `deepscan tree ${file} shows it` })
    const blocks = scan === undefined ? readBlocks(absolute) : snapshotOf(scan, path)
    if (typeof blocks === 'string') throw new Failure('usage', `${path} is not to be read: ${blocks}`)
    const lines = linesIn(blocks, rangeOf(flags, range))
    const { start, end, total } = lines
    const text = textOfLines(lines)
    const excerpt: Excerpt = {
      ...{ v: 1, type: 'excerpt', path, start_line: start, end_line: end, lines: total, text },
    }
    if (output.mode === 'text' && !flags.number && !output.isTerminal) output.raw(lines.bytes)
    else output.one(excerpt, { text: () => (flags.number ? numbered(text, start) : text), id: () => path })
    if (end > 0 || total === 0) return undefined
    output.note(`${path} has ${total} lines`)
    return exitCodes.notFound
  },
})

/** The file as the scan has it. Fails as `conflict` when it has changed since. */
function snapshotOf(scan: OpenScan, path: string): Iterable<Block> {
  for (const entry of readManifest(scan)) {
    if (entry.path === path && entry.skip === null) return [{ bytes: Buffer.from(readText(scan, entry)), isLast: true }]
  }
  throw new Failure('notFound', `${path} is not in the scan ${scan.scan.id}`)
}

function rangeOf({ head, tail }: { head: number | undefined; tail: number | undefined }, range: LineRange): LineRange {
  if (head !== undefined && tail !== undefined) {
    throw new Failure('usage', '--head and --tail do not go together', { hint: 'name lines: a.ts:7-9' })
  }
  if (tail !== undefined) return { tail }
  return head === undefined ? range : { first: 1, last: head }
}

function numbered(text: string, start: number): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const width = String(start + lines.length - 1).length
  return lines.map((line, at) => `${String(start + at).padStart(width)}  ${line}`).join('\n')
}
