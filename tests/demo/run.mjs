// `npm run demo [-- PATH] [--verify CMD] [--scan FOLDER]`: the main pipeline at work. Scan, issues, claims, worktrees, fixes, verified landings,
// with the bus shown live; then what came of it. Exits 0 when every issue is closed or reported, the tests pass and no fixed defect is left.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeRepository, readManifest } from './repository.mjs'
import { readOutcome, renderSummary } from './summary.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { verify: { type: 'string' }, scan: { type: 'string' } },
})
const [given] = positionals

const env = { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter) }
for (const name of ['JWZ_STORE', 'JWZ_AGENT', 'TISSUE_STORE', 'NODE_EXTRA_CA_CERTS']) delete env[name]

const repository = makeRepository(given)
const scanned = values.scan ?? ['src', 'lib'].find((folder) => existsSync(join(repository, folder))) ?? '.'
const verify = values.verify ?? (readManifest(repository).scripts?.test ? 'npm test' : undefined)
if (!verify) {
  console.error('demo: the repository has no `npm test`; say what verifies a change: npm run demo -- PATH --verify CMD')
  process.exit(2)
}

/** Runs a shell command in the repository and waits for its end. */
function shell(command) {
  return spawnSync('sh', ['-c', command], { cwd: repository, env, encoding: 'utf8', maxBuffer: 1 << 28 })
}

function say(text) {
  console.log(`\n\u25b6 ${text}`)
}

say(`${given ? 'a clone of the repository' : 'a small repository with planted defects'}: ${repository}`)
const before = shell(verify)
if (before.status !== 0) {
  console.error(
    `${before.stdout}${before.stderr}\ndemo: \`${verify}\` fails before anything was changed; fix that first`,
  )
  process.exit(1)
}
console.log(`its own tests pass: ${verify}`)

const scan = `deepscan run ./${scanned} --jsonl`
const findings = shell(scan)
  .stdout.split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))
// The second report of one defect, from elsewhere, shows what happens to work that another's landing has done already.
const review = fileURLToPath(new URL('review.jsonl', import.meta.url))
const source = given ? scan : `{ ${scan}; cat "$REVIEW"; }`
const pipeline = `${source} | tissue import - --quiet | loop run --issues - -j 2 --with 'deepscan fix' --verify '${verify.replaceAll("'", "'\\''")}'`

say(`$ ${pipeline.replace('"$REVIEW"', 'review.jsonl')}\n  the bus, live (jwz follow):`)
const started = Date.now()
const follower = spawn('jwz', ['follow', 'loop:run:*', 'tissue:feed'], {
  cwd: repository,
  env,
  stdio: ['ignore', 'inherit', 'inherit'],
})
const code = await new Promise((resolve) => {
  const child = spawn('sh', ['-c', `jwz init --quiet >/dev/null && ${pipeline} --jsonl > "$RESULTS"`], {
    cwd: repository,
    env: { ...env, REVIEW: review, RESULTS: join(repository, '..', 'results.jsonl') },
    stdio: ['ignore', 'inherit', 'ignore'],
  })
  child.on('close', resolve)
})
const seconds = (Date.now() - started) / 1000
await new Promise((resolve) => setTimeout(resolve, 300))
follower.kill('SIGTERM')

const outcome = readOutcome({
  repository,
  shell,
  scan,
  verify,
  findings,
  code,
  checks: given ? undefined : fileURLToPath(new URL('defects.mjs', import.meta.url)),
})
say('what came of it')
console.log(renderSummary({ ...outcome, repository, seconds }))
process.exitCode = outcome.faults.length === 0 ? 0 : 1
