import { defineVerb, type Output } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { inRow } from '@switchyard/cli-kit/in-row'
import { exitCodes } from '@switchyard/ground/failure'
import type { Match, MatchCount } from '../explore/match-schema.ts'
import { lastPrinted, type Printed, renderMatch } from '../explore/render-match.ts'
import { searchFiles } from '../explore/search-files.ts'
import { wantedFiles } from '../explore/wanted-files.ts'
import { linePattern } from '../text/line-pattern.ts'

/** `deepscan grep PATTERN [PATH...]`: the lines that match, with path, line and column. Exits 1 when there is none. */
export const grep = defineVerb({
  summary: 'Find lines that match a pattern, in files of any size',
  args: [
    { name: 'pattern', summary: "The pattern, in RE2's syntax" },
    { name: 'path', summary: 'Files and folders to search (the working folder)', optional: true, rest: true },
  ],
  flags: {
    'ignore-case': { type: 'boolean', short: 'i', summary: 'Take capitals and small letters for the same' },
    word: { type: 'boolean', short: 'w', summary: 'Find whole words only' },
    fixed: { type: 'boolean', short: 'F', summary: 'Take the pattern as plain text' },
    context: { type: 'integer', value: 'N', short: 'C', min: 0, max: 1000, default: 0, summary: 'Lines around each' },
    glob: { type: 'list', value: 'GLOB', short: 'g', summary: 'Search only these; with a ! in front, not these' },
    type: { type: 'list', value: 'LANGUAGE', short: 't', summary: 'Search only files in this language' },
    max: { type: 'integer', value: 'N', min: 1, max: 1e9, summary: 'Stop after so many lines' },
    count: { type: 'boolean', short: 'c', summary: 'Say how many lines of each file match' },
    'no-gitignore': { type: 'boolean', summary: 'Search what git ignores, too' },
  },
  examples: ['deepscan grep "TODO|FIXME"', 'deepscan grep -w -t ts eval src --jsonl', 'deepscan grep -F "a.b(" -C 2'],
  async run({ args, flags, cwd, env, output }) {
    const { 'ignore-case': ignoreCase, word, fixed, context, max = Number.POSITIVE_INFINITY } = flags
    const pattern = await linePattern(args.pattern, { ignoreCase, word, fixed })
    const wanted = { paths: args.path, globs: flags.glob, types: flags.type, gitignore: !flags['no-gitignore'] }
    const unread = new Map<string, number>()
    const files = wantedFiles(wanted, { cwd, home: env.HOME })
    const matches = firstOnes(searchFiles(files, { pattern, context, unread }), max)
    const isBrief = flags.count || output.mode === 'quiet'
    const lines = isBrief ? printCounts(matches, output) : printMatches(matches, output)
    if (unread.size > 0) output.note(`not searched: ${[...unread].map(([why, count]) => `${count} ${why}`).join(', ')}`)
    if (lines === max) output.note(`stopped after ${counted(max, 'line')}, as --max says`)
    return lines > 0 ? undefined : exitCodes.failed
  },
})

function* firstOnes<T>(values: Iterable<T>, max: number): Generator<T> {
  let left = max
  for (const value of values) {
    yield value
    left -= 1
    if (left === 0) return
  }
}

/** So many lines go out together: a write costs more than a line. */
const batchMax = 64

/** Prints matches as they come; how many. */
function printMatches(matches: Iterable<Match>, output: Output): number {
  let count = 0
  let last: Printed | undefined
  let batch: Match[] = []
  const flush = (next?: Match) => {
    const text = (match: Match) => {
      const behind = batch[batch.indexOf(match) + 1] ?? next
      const rendered = renderMatch(match, behind?.path === match.path ? behind : undefined, last, output.color)
      last = lastPrinted(match)
      return rendered
    }
    if (batch.length > 0) output.list(batch, { text, id: ({ path }) => path })
    batch = []
  }
  for (const match of matches) {
    const isFull = batch.length >= batchMax || batch[0]?.path !== match.path
    if (isFull && output.mode !== 'json') flush(match)
    batch.push(match)
    count += 1
  }
  flush()
  if (count === 0 && output.mode === 'json') output.list([], { text: String, id: String })
  return count
}

/** Prints how many lines match in each file; how many in all. */
function printCounts(matches: Iterable<Match>, output: Output): number {
  const counts: MatchCount[] = []
  let lines = 0
  for (const { path } of matches) {
    const last = counts.at(-1)
    if (last?.path === path) last.lines += 1
    else counts.push({ v: 1, type: 'match_count', path, lines: 1 })
    lines += 1
  }
  output.list(counts, { text: ({ path, lines }) => `${inRow(path)}:${lines}`, id: ({ path }) => path })
  return lines
}
