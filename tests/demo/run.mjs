// `npm run demo [-- PATH] [--verify CMD] [--scan FOLDER]`: the main pipeline at work. Scan, issues, claims, worktrees, fixes, verified landings,
// with the bus shown live; then what came of it. Exits 0 when every issue is closed or reported, the tests pass and no fixed defect is left.
import { existsSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { followBus } from './bus.mjs'
import { endOnSignals, run, start } from './processes.mjs'
import {
  assertFolder,
  installDependencies,
  inWorktree,
  linkTools,
  makeRepository,
  readManifest,
  Stop,
} from './repository.mjs'
import { countTests, parseLines, readOutcome, renderSummary } from './summary.mjs'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const usage = 'usage: npm run demo [-- PATH [--verify CMD] [--scan FOLDER]]'

/** npm runs scripts from the top of this checkout; a path counts from where npm was called. */
function readArguments() {
  const options = { verify: { type: 'string' }, scan: { type: 'string' } }
  const { positionals, values } = parseArgs({ allowPositionals: true, options })
  if (positionals.length > 1) throw new Stop(`expected one PATH, got ${positionals.length}; ${usage}`, 2)
  const from = process.env.npm_lifecycle_event === 'demo' ? (process.env.INIT_CWD ?? '.') : '.'
  const given = positionals[0] === undefined ? undefined : resolve(from, positionals[0])
  if (given !== undefined) assertFolder(given)
  return { ...values, given: given === undefined ? undefined : realpathSync(given) }
}

/** Without what ties a process to this checkout, to npm or to another session. */
function makeEnvironment(folder, repository, given) {
  const own = [linkTools(join(folder, 'bin')), join(repository, 'node_modules/.bin')]
  const borrowed = given === undefined ? [here('../../node_modules/.bin')] : []
  const env = { ...process.env, PATH: [...own, ...borrowed, process.env.PATH].join(delimiter) }
  const isTied = (name) =>
    /^(?:JWZ_|TISSUE_|GIT_DIR$|GIT_WORK_TREE$|GIT_INDEX_FILE$|NODE_EXTRA_CA_CERTS$|INIT_CWD$)/.test(name) ||
    /^npm_(?:lifecycle|package|command|config_local_prefix)/.test(name)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isTied(name)))
}

function say(text) {
  console.log(`\n\u25b6 ${text}`)
}

/** The tests have to pass where every change will be verified: in a worktree, without what git does not have. */
async function runBefore(shell, repository, verify) {
  const before = await inWorktree(repository, (cwd) => shell(verify, cwd))
  if (before.code === 0) return before
  const isElsewhere = (await shell(verify)).code === 0
  const where = isElsewhere ? ' in a git worktree of its own, though not in the clone' : ''
  for (const text of [before.stdout, before.stderr]) console.error(text.trimEnd().split('\n').slice(-20).join('\n'))
  throw new Stop(`\`${verify}\` fails (exit ${before.code})${where} before anything was changed`, 1)
}

async function runPipeline({ pipeline, repository, env }) {
  const init = await run('jwz', ['init', '--quiet'], { cwd: repository, env })
  if (init.code !== 0) throw new Stop(`jwz init failed: ${init.stderr.trim()}`, 1)
  const stopBus = followBus(['loop:run:*', 'tissue:feed'], { cwd: repository, env, print: console.log })
  const started = Date.now()
  const code = await start('sh', ['-c', `${pipeline} --jsonl > "$RESULTS"`], { cwd: repository, env }).done
  const seconds = (Date.now() - started) / 1000
  await stopBus()
  return { code, seconds }
}

async function demo() {
  const { given, ...values } = readArguments()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchyard-demo-')))
  const repository = join(folder, given === undefined ? 'tally' : basename(given) || 'root')
  say(`${given === undefined ? 'a small repository with planted defects' : `a clone of ${given}`}: ${repository}`)
  await makeRepository(repository, given)
  const env = makeEnvironment(folder, repository, given)
  const shell = (command, cwd = repository) => run('sh', ['-c', command], { cwd, env })
  const verify = values.verify ?? (readManifest(repository).scripts?.test ? 'npm test' : undefined)
  if (verify === undefined) throw new Stop(`there is no \`npm test\`: say what verifies a change; ${usage}`, 2)
  const scanned = values.scan ?? ['src', 'lib'].find((name) => existsSync(join(repository, name))) ?? '.'
  // The sample is ours, and each of its defects is planted: all rules look, and offers are taken, too.
  const [everything, offers] = given === undefined ? [' --all-rules', ' --offers'] : ['', '']
  const scan = `deepscan run '${join(scanned).replaceAll("'", "'\\''")}'${everything} --jsonl`

  const first = await shell(scan)
  if (first.code !== 0) throw new Stop(`the scan failed: ${first.stderr.split('\n')[0]}`, 2)
  const findings = parseLines(first.stdout)
  console.log(`  ${first.stderr.trim().replaceAll('\n', '\n  ')}`)
  if (given !== undefined && findings.length === 0) return console.log(`\nno findings in ${scanned}: nothing to do`)
  if (given !== undefined) await installDependencies(repository, console.log)
  const before = await runBefore(shell, repository, verify)
  console.log(`  its own tests pass: ${verify} ${countTests(before)}`)

  // The second report of one defect, from elsewhere, shows what happens to work that another's landing has done already.
  const source = given === undefined ? `{ ${scan}; cat "$REVIEW"; }` : scan
  const quoted = verify.replaceAll("'", "'\\''")
  const pipeline = `${source} | tissue import - --quiet | loop run --issues - -j 2 --with 'deepscan fix${offers}' --verify '${quoted}'`
  say(`$ ${pipeline.replace('"$REVIEW"', 'review.jsonl')}\n  the bus, live (jwz follow):\n`)
  const files = { REVIEW: here('review.jsonl'), RESULTS: join(folder, 'results.jsonl') }
  const { code, seconds } = await runPipeline({ pipeline, repository, env: { ...env, ...files } })

  const checks = given === undefined ? here('defects.mjs') : undefined
  const outcome = await readOutcome({ shell, scan, verify, findings, before, code, checks })
  say('what came of it')
  console.log(renderSummary({ ...outcome, repository, bin: join(folder, 'bin'), seconds }))
  process.exitCode = outcome.faults.length === 0 ? 0 : 1
}

endOnSignals(console.error)
try {
  await demo()
} catch (error) {
  const isUsage = String(error.code).startsWith('ERR_PARSE_ARGS_')
  if (!isUsage && !(error instanceof Stop)) throw error
  console.error(`demo: ${error.message}${isUsage ? `; ${usage}` : ''}`)
  process.exitCode = isUsage ? 2 : error.code
}
