import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { lstatAt } from '@switchyard/ground/at-path'
import { Failure } from '@switchyard/ground/failure'
import { fail } from '../errors/fail.ts'
import { appendEvents, startRun } from '../store/append-records.ts'
import { collectEntries } from '../store/collect-entries.ts'
import { createScan } from '../store/create-scan.ts'
import { renderInit } from '../store/render-init.ts'
import type { Scan } from '../store/scan-schema.ts'
import { scansHome } from '../store/scans-home.ts'
import { startSummary, summing } from '../store/summary.ts'
import { narrowed } from '../walk/narrow.ts'
import { rootOfPath, walkFiles } from '../walk/walk-files.ts'

/** `deepscan init [PATH...]`: makes a scan of what lies there now, and says what it will cost. */
export const init = defineVerb({
  summary: 'Make a scan of files: list them once, with hashes, sizes and kinds',
  args: [{ name: 'path', summary: 'Files and folders to scan (the working folder)', optional: true, rest: true }],
  flags: {
    query: { type: 'string', value: 'TEXT', short: 'q', bare: 'quiet', summary: 'What agents are to find out' },
    target: { type: 'list', value: 'PATH', summary: 'Take in only this path below PATH' },
    lazy: { type: 'boolean', summary: 'List the tree without reading a file' },
    depth: { type: 'integer', value: 'N', min: 0, max: 100, default: 3, summary: 'How deep --lazy shows the tree' },
    'agent-type': { type: 'string', value: 'NAME', default: 'general', summary: 'Which instructions agents get' },
    adaptive: { type: 'boolean', short: 'a', summary: 'Size chunks by the kind of content' },
    session: { type: 'string', value: 'NAME', summary: 'Give the scan a name' },
    force: { type: 'boolean', summary: 'Begin anew although the project has a current scan' },
    include: { type: 'list', value: 'GLOB', summary: 'Take in only what matches, from the top of the repository' },
    exclude: { type: 'list', value: 'GLOB', summary: 'Leave out what matches' },
    'no-gitignore': { type: 'boolean', summary: 'Take in what git ignores' },
    all: { type: 'boolean', summary: 'Take in what is generated, minified or vendored' },
    'max-file-bytes': {
      type: 'integer',
      value: 'N',
      min: 1,
      max: 400_000_000,
      default: 10_000_000,
      summary: 'Leave out larger files',
    },
    'max-tokens': { type: 'integer', value: 'N', min: 1, max: 1e12, summary: 'Refuse to scan more than this' },
    secrets: {
      type: 'choice',
      choices: ['redact', 'skip', 'allow'],
      default: 'redact',
      summary: 'What becomes of secrets in what agents are given',
    },
  },
  examples: ['deepscan init', 'deepscan init ./src -q "Where is input not checked?"', 'deepscan init src --quiet'],
  async run({ args, flags, cwd, env, now, output }) {
    const paths = args.path.length > 0 ? args.path : ['.']
    if (args.path.length === 0 && flags.query !== undefined) refusePathAsQuery(flags.query, cwd)
    const home = scansHome(env)
    const origin = { cwd, home: env.HOME }
    const root = rootOfPath(paths[0] ?? '.', origin)
    const scan: Scan = {
      ...{ v: 1, type: 'scan', id: newId(now()), name: flags.session ?? null, root, paths: [...paths] },
      ...{ query: flags.query ?? null, agent_type: flags['agent-type'] },
      mode: flags.target.length > 0 ? 'targeted' : flags.lazy ? 'lazy' : 'full',
      ...{ depth: flags.depth, rev: null, since: null, diff_base: null, size: 150_000, overlap: 0, unit: 'characters' },
      ...{ adaptive: flags.adaptive, secrets: flags.secrets, previous: null },
      ...{ max_file_bytes: flags['max-file-bytes'], created: new Date(now()).toISOString() },
    }
    const summary = startSummary()
    const walked = narrowed(walkFiles(paths, { ...origin, gitignore: !flags['no-gitignore'] }), flags)
    const entries = collectEntries(walked, {
      ...{ maxFileBytes: flags['max-file-bytes'], all: flags.all, lazy: scan.mode === 'lazy' },
    })
    const made = await createScan(
      scan,
      checked(summing(summary, entries), () => {
        if (summary.bytes === 0 && scan.mode !== 'lazy') throw emptyFailure(paths, summary.skipped)
        const max = flags['max-tokens'] ?? Number.POSITIVE_INFINITY
        if (summary.tokens > max) throw fail('DS-304', { path: paths.join(' '), tokens: summary.tokens, max })
      }),
      { home, pid: process.pid, force: flags.force },
    )
    const { files, bytes, lines, tokens } = summary
    appendEvents(made, startRun(now), [
      { type: 'session_start', files, bytes, lines, tokens, skipped: Object.fromEntries(summary.skipped) },
      { type: 'phase', phase: 'initialized' },
    ])
    output.one(scan, { text: () => renderInit(scan, summary), id: ({ id }) => id })
  },
})

/** The original's: seconds and 16 digits that nobody guesses. */
function newId(now: number): string {
  return `deepscan_${Math.floor(now / 1000)}_${randomBytes(8).toString('hex')}`
}

/** Passes all on; `check` is called at the end and may refuse by throwing. */
function* checked<T>(values: Iterable<T>, check: () => void): Generator<T> {
  yield* values
  check()
}

function emptyFailure(paths: readonly string[], skipped: ReadonlyMap<string, number>): Failure {
  const reasons = [...skipped].map(([reason, number]) => `${number} ${reason}`).join(', ')
  return fail('DS-006', { path: paths.join(' '), reason: reasons === '' ? 'it is empty' : `left out: ${reasons}` })
}

/** `init -q ./src` may mean a quiet scan of ./src, or a question about the working folder. */
function refusePathAsQuery(query: string, cwd: string): void {
  if (query === '' || lstatAt(resolve(cwd, query)) === undefined) return
  throw new Failure('usage', `expected a question after -q, got ${query}, which is a path`, {
    hint: `deepscan init ${query} -q prints the id of a scan of it, deepscan init . -q ${query} asks that of all`,
  })
}
