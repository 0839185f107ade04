import { randomBytes } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import process from 'node:process'
import { type Call, defineVerb } from '@switchyard/cli-kit'
import { lstatAt } from '@switchyard/ground/at-path'
import { orRefused } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { fail } from '../errors/fail.ts'
import { findCallers } from '../explore/find-callers.ts'
import { sourcesOf } from '../explore/source-files.ts'
import { appendEvents, startRun } from '../store/append-records.ts'
import { createScan } from '../store/create-scan.ts'
import { type FindCallers, type Plan, planScan } from '../store/init-scan.ts'
import type { ManifestEntry } from '../store/manifest-schema.ts'
import { type OpenScan, openScan } from '../store/open-scan.ts'
import { openPrevious, type Previous } from '../store/previous-scan.ts'
import { publishEvents } from '../store/publish-events.ts'
import { renderInit } from '../store/render-init.ts'
import type { Scan } from '../store/scan-schema.ts'
import { scansHome } from '../store/scans-home.ts'
import { addEntry, type Summary, startSummary } from '../store/summary.ts'
import { openParserPool } from '../syntax/parser-process.ts'
import { parsePathList } from '../walk/listed-files.ts'

const spec = {
  summary: 'Make a scan of files: list them once, with hashes, sizes and kinds',
  args: [{ name: 'path', summary: 'Files and folders to scan (the working folder)', optional: true, rest: true }],
  flags: {
    query: { type: 'string', value: 'TEXT', short: 'q', bare: 'quiet', summary: 'What agents are to find out' },
    target: { type: 'list', value: 'PATH', summary: 'Take in only this path below PATH' },
    'files-from': { type: 'string', value: 'FILE', summary: 'Take in the files that FILE lists, - for stdin' },
    include: { type: 'list', value: 'GLOB', summary: 'Take in only what matches, from the top of the repository' },
    exclude: { type: 'list', value: 'GLOB', summary: 'Leave out what matches' },
    'no-gitignore': { type: 'boolean', summary: 'Take in what git ignores' },
    all: { type: 'boolean', summary: 'Take in what is generated, minified or vendored' },
    rev: { type: 'string', value: 'COMMIT', summary: 'Scan a commit instead of the working tree' },
    since: { type: 'string', value: 'COMMIT', summary: 'Only files that have changed since' },
    diff: { type: 'string', value: 'BASE', summary: 'Only files changed since leaving BASE, and note the lines' },
    incremental: { type: 'boolean', summary: 'Go on from an earlier scan: what has not changed is not read again' },
    'previous-session': { type: 'string', value: 'ID', summary: 'The earlier scan (the current one)' },
    lazy: { type: 'boolean', summary: 'List the tree without reading a file' },
    depth: { type: 'integer', value: 'N', min: 0, max: 100, default: 3, summary: 'How deep --lazy shows the tree' },
    'agent-type': { type: 'string', value: 'NAME', default: 'general', summary: 'Which instructions agents get' },
    adaptive: { type: 'boolean', short: 'a', summary: 'Size chunks by the kind of content' },
    secrets: {
      type: 'choice',
      choices: ['redact', 'skip', 'allow'],
      default: 'redact',
      summary: 'What becomes of secrets in what agents are given',
    },
    'max-file-bytes': {
      type: 'integer',
      value: 'N',
      min: 1,
      max: 400_000_000,
      default: 10_000_000,
      summary: 'Leave out larger files',
    },
    'max-tokens': { type: 'integer', value: 'N', min: 1, max: 1e12, summary: 'Refuse to scan more than this' },
    session: { type: 'string', value: 'NAME', summary: 'Give the scan a name' },
    force: { type: 'boolean', summary: 'Begin anew although the project has a current scan' },
  },
  examples: [
    'deepscan init',
    'deepscan init ./src -q "Where is input not checked?"',
    'deepscan init src --quiet',
    'deepscan init --diff main --force',
  ],
} as const

/** A grammar that takes longer for one file does not end. */
const parseDeadlineMs = 60_000

type InitCall = Call<typeof spec>

/** `deepscan init [PATH...]`: makes a scan of what lies there now, and says what it will cost. */
export const init = defineVerb({
  ...spec,
  async run(call) {
    const { args, flags, cwd, env, now, output } = call
    const paths = args.path.length > 0 ? args.path : ['.']
    if (args.path.length === 0 && flags.query !== undefined) refusePathAsQuery(flags.query, cwd)
    if (flags.rev === undefined) refuseLargeFiles(paths, flags['max-file-bytes'], cwd)
    const earlier = previousScan(call)
    const previous = earlier && openPrevious(earlier)
    const wanted = {
      ...flags,
      skipSecrets: flags.secrets === 'skip',
      paths,
      targets: flags.target,
      listed: listedPaths(call),
      gitignore: !flags['no-gitignore'],
    }
    const plan = planScan(
      { ...wanted, maxFileBytes: flags['max-file-bytes'] },
      { cwd, env, findCallers: callersBy(env) },
      previous,
    )
    const scan = describeScan(call, paths, plan, earlier?.scan.id ?? null)
    const summary = startSummary()
    const refuse = () => refuseEmptyOrLarge(summary, paths, flags)
    const made = await createScan(scan, (folder) => watched(plan.entries(folder), { summary, previous, refuse }), {
      ...{ home: scansHome(env), pid: process.pid, force: flags.force || earlier !== undefined },
    })
    const delta = previous?.delta()
    const { files, bytes, lines, tokens } = summary
    appendEvents(made, startRun(now), [
      { type: 'session_start', files, bytes, lines, tokens, skipped: Object.fromEntries(summary.skipped), delta },
      { type: 'phase', phase: 'initialized' },
    ])
    await publishEvents(made, env)
    output.one(scan, { text: () => renderInit(scan, summary, delta), id: ({ id }) => id })
    const [away] = relative(scan.root, realpathSync(cwd)).split(sep)
    if (away === '..')
      output.note(`verbs know this scan by itself in ${scan.root}; from here, add --session ${scan.id}`)
  },
})

/** Looks for callers in the sources of a walk, in parser processes. */
function callersBy(env: Readonly<Record<string, string | undefined>>): FindCallers {
  return async (walk, hunks) => {
    const parser = openParserPool({ env, processes: 2, deadlineMs: parseDeadlineMs })
    try {
      return await findCallers(() => sourcesOf(walk()), hunks, parser)
    } finally {
      parser.end()
    }
  }
}

function describeScan({ flags, now }: InitCall, paths: readonly string[], plan: Plan, previous: string | null): Scan {
  return {
    ...{ v: 1, type: 'scan', id: newId(now()), name: flags.session ?? null, root: plan.root, paths: [...paths] },
    ...{ query: flags.query ?? null, agent_type: flags['agent-type'] },
    mode: flags.target.length > 0 || flags['files-from'] !== undefined ? 'targeted' : flags.lazy ? 'lazy' : 'full',
    ...{ depth: flags.depth, rev: plan.rev, since: plan.since, diff_base: plan.diffBase },
    ...{ size: 150_000, overlap: 0, unit: 'characters', adaptive: flags.adaptive, secrets: flags.secrets, previous },
    ...{ max_file_bytes: flags['max-file-bytes'], created: new Date(now()).toISOString() },
  }
}

/** The original's: seconds and 16 digits that nobody guesses. */
function newId(now: number): string {
  return `deepscan_${Math.floor(now / 1000)}_${randomBytes(8).toString('hex')}`
}

function previousScan({ flags, env, cwd }: InitCall): OpenScan | undefined {
  const named = flags['previous-session']
  return flags.incremental || named !== undefined ? openScan(env, cwd, named) : undefined
}

function listedPaths({ flags, input, cwd }: InitCall): readonly string[] | undefined {
  const name = flags['files-from']
  if (name === undefined) return undefined
  if (name === '-') return parsePathList(input.readAll(), 'the list on stdin')
  const path = resolve(cwd, name)
  if (lstatAt(path) === undefined) throw fail('DS-301', { path: name })
  return parsePathList(
    orRefused(`${name} was to be read`, () => readFileSync(path)),
    name,
  )
}

type Watching = { summary: Summary; previous: Previous | undefined; refuse: () => void }

/** Passes entries on and counts them; at the end the whole may be refused. */
async function* watched(
  entries: AsyncIterable<ManifestEntry>,
  { summary, previous, refuse }: Watching,
): AsyncGenerator<ManifestEntry> {
  for await (const entry of entries) {
    addEntry(summary, entry)
    previous?.see(entry)
    yield entry
  }
  refuse()
}

/** A file that is named is not left out in silence. */
function refuseLargeFiles(paths: readonly string[], max: number, cwd: string): void {
  for (const path of paths) {
    const stats = path === '' || path.includes('\0') ? undefined : lstatAt(resolve(cwd, path))
    if (stats?.isFile() && stats.size > max) throw fail('DS-303', { path, bytes: stats.size, max })
  }
}

function refuseEmptyOrLarge(summary: Summary, paths: readonly string[], flags: InitCall['flags']): void {
  const path = paths.join(' ')
  if (summary.bytes === 0 && summary.unread.length === 0) {
    const reasons = [...summary.skipped].map(([reason, number]) => `${number} ${reason}`).join(', ')
    throw fail('DS-006', { path, reason: reasons === '' ? 'it is empty' : `left out: ${reasons}` })
  }
  const max = flags['max-tokens'] ?? Number.POSITIVE_INFINITY
  if (summary.tokens > max) throw fail('DS-304', { path, tokens: summary.tokens, max })
}

/** `init -q ./src` may mean a quiet scan of ./src, or a question about the working folder. */
function refusePathAsQuery(query: string, cwd: string): void {
  if (query === '' || query.includes('\0') || lstatAt(resolve(cwd, query)) === undefined) return
  throw new Failure('usage', `expected a question after -q, got ${query}, which is a path`, {
    hint: `deepscan init ${query} -q prints the id of a scan of it, deepscan init . -q ${query} asks that of all`,
  })
}
