import { defineVerb, type Output, type Shown } from '@switchyard/cli-kit'
import { readBody } from '@switchyard/cli-kit/body'
import { redactorOf } from '@switchyard/cli-kit/secrets'
import { type ExitCode, exitCodes, Failure, isFailure } from '@switchyard/ground/failure'
import { identify, locateStore, postMessage, type Store } from '@switchyard/topic'
import { outFile, writeOut } from '@switchyard/topic/out-file'
import { openPlainChildren } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { askAll } from '../review/ask-all.ts'
import { type Change, readChange } from '../review/change.ts'
import { type GivenOpinion, opinionSchema } from '../review/opinion-schema.ts'
import { type Subject, topicOf } from '../review/read-reviews.ts'
import { chooseWork, type Underway, worksUnderway } from '../review/subject.ts'
import { redactTexts } from '../state/redact-event.ts'
import { treeAround } from '../worktree/tree-place.ts'

/**
 * `loop ask`: second opinions from several runners at once. Exits 0 when all answered, 1 when some did not, 8 when
 * none did.
 */
export const ask = defineVerb({
  summary: 'Ask other agents for their opinion, and record that they were asked',
  args: [{ name: 'prompt', summary: 'The question; - or nothing reads it from stdin', optional: true }],
  flags: {
    with: { type: 'list', value: 'RUNNER', summary: 'Whom to ask: the name of an agent, or a line of shell' },
    timeout: { type: 'duration', default: '10m', summary: 'How long each may take' },
    out: { type: 'string', short: 'o', value: 'FILE', summary: 'Write the answers to a file instead of stdout' },
  },
  examples: [
    "loop ask 'Is a lock needed here?' --with codex --with gemini",
    'git diff main | loop ask --with claude --json | jq -r .[].text',
  ],
  async run(call) {
    const { args, flags, cwd, env, now, output, interrupted } = call
    if (flags.with.length === 0) throw new Failure('usage', 'expected --with RUNNER, got none')
    const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
    const out = flags.out === undefined ? undefined : outFile(store, cwd, flags.out)
    const prompt = readPrompt(call, args.prompt)
    const work = workOf(store, call)
    const subject = work && { issue: work.issue, run: work.run }
    if (subject === undefined) output.note('not recorded: no work is under way here')
    const signal = interrupted()
    const change = work && (await changeOf(work, call))
    const asked = await askAll(openPlainChildren(env), {
      ...{
        change,
        prompt,
        runners: flags.with,
        by: identify({ env, store }),
        subject,
        cwd,
        timeoutMs: flags.timeout,
        signal,
      },
      depth: Number(env['LOOP_DEPTH']) || 0,
    })
    signal.throwIfAborted()
    const opinions: GivenOpinion[] = []
    const redact = redactorOf(env)
    for (const opinion of asked) {
      opinions.push(await recordOpinion(store, subject, redactTexts(opinion, redact), now()))
    }
    show(opinions, output, out, now())
    return exitCodeOf(opinions)
  },
})

function readPrompt(call: Parameters<typeof readBody>[1], given: string | undefined): string {
  if (given === undefined && call.input.isTerminal) throw new Failure('usage', 'expected a question, got none')
  const source = given === undefined || given === '-' ? { stdin: '-' } : { text: given }
  const prompt = readBody(source, call) ?? ''
  if (prompt.trim() === '') throw new Failure('usage', 'expected a question, got nothing')
  return prompt
}

type Caller = { env: Parameters<typeof worksUnderway>[1]; cwd: string }

/** Which work it is about, where that can be told. */
function workOf(store: Store, { env, cwd }: Caller): Underway | undefined {
  try {
    return chooseWork(worksUnderway(store, env), env['LOOP_ISSUE'], cwd)
  } catch (error) {
    if (isFailure(error) && error.kind === 'usage') return undefined
    throw error
  }
}

/** The commit that the work is at now; undefined where it lies in no repository. */
async function changeOf({ worktree, base }: Underway, { env, cwd }: Caller): Promise<Change | undefined> {
  const git = openGit(openPlainChildren(env))
  const at = await treeAround(git, worktree ?? cwd)
  if (at === undefined) return undefined
  const head = await git.try(at, ['rev-parse', '--verify', '--quiet', 'HEAD'])
  return head.exitCode === 0 ? readChange({ git, at }, base ?? 'HEAD', 'HEAD') : undefined
}

/** To stdout, or to a file in the same form; the ids are for stdout in any case. */
function show(opinions: readonly GivenOpinion[], output: Output, out: string | undefined, now: number): void {
  if (out === undefined || output.mode === 'quiet') output.list(opinions, shownOpinion)
  if (out !== undefined) writeOut(out, piecesOf(opinions, output.mode), now)
}

function piecesOf(opinions: readonly GivenOpinion[], mode: Output['mode']): string[] {
  if (mode === 'json') return [`${JSON.stringify(opinions)}\n`]
  if (mode === 'jsonl') return opinions.map((opinion) => `${JSON.stringify(opinion)}\n`)
  return opinions.map(shownOpinion.text)
}

const shownOpinion: Shown<GivenOpinion> = {
  text: ({ with: runner, id, outcome, error, text }) => {
    const heading = `# ${runner.split('\n')[0]}${id === null ? '' : `  ${id}`}`
    return outcome === 'done' ? `${heading}\n\n${text.trimEnd()}\n\n` : `${heading}\n\n(no answer: ${error})\n\n`
  },
  id: ({ id }) => id ?? '',
}

function exitCodeOf(opinions: readonly GivenOpinion[]): ExitCode {
  const silent = opinions.filter(({ outcome }) => outcome !== 'done')
  if (silent.length === 0) return exitCodes.done
  if (silent.length < opinions.length) return exitCodes.failed
  throw new Failure('outside', `expected an answer, none came: ${silent.map(({ error }) => error).join('; ')}`)
}

/** Records what was answered as evidence on the topic of the work, where there is one; gives it its id. */
async function recordOpinion(
  store: Store,
  subject: Subject | undefined,
  opinion: Omit<GivenOpinion, 'id'>,
  now: number,
): Promise<GivenOpinion> {
  const topic = subject && topicOf(subject)
  if (topic === undefined) return { id: null, ...opinion }
  const heading = `[opinion] ${opinion.with.split('\n')[0]}: ${opinion.error ?? opinion.outcome}`
  const body = opinion.text === '' ? heading : `${heading}\n\n${opinion.text}`
  const { id } = await postMessage(store, { topic, from: opinion.by, body, data: opinionSchema.parse(opinion) }, now)
  return { id, ...opinion }
}
