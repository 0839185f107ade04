import type { Context } from './context.ts'
import { type ExitCode, exitCodes, Failure } from './failure.ts'
import { interruptions } from './interrupt.ts'
import { openOutput, openSink, say } from './output.ts'
import { type Parsed, parseStrict } from './parse.ts'
import { openInput, ReaderGone } from './stdio.ts'
import type { Verb } from './verb.ts'

/** A command-line tool: its table of verbs, each loaded when it is called. A key may have two words, `topic list`. */
export type Tool = {
  readonly name: string
  readonly summary: string
  readonly version: string
  /** Verbs whose start-up counts: parsed without citty. */
  readonly hot: readonly string[]
  readonly verbs: Readonly<Record<string, () => Promise<Verb>>>
  /** Other names of verbs. */
  readonly aliases?: Readonly<Record<string, string>>
  /** JSON Schemas of the tool's records, for `schema [name]`. */
  readonly schemas?: () => Promise<Readonly<Record<string, object>>>
}

type Found = { name: string; verb: Verb; length: number }

/** What a run knows of itself; `json` says how its end is told. */
type Run = { readonly tool: Tool; readonly argv: readonly string[]; json: boolean }

const stderr = openSink(2)
const modeWords = ['--json', '--jsonl', '--quiet', '-q']

/**
 * Runs the tool on the process's own command line and sets its exit code: the only place where a tool touches the
 * process.
 */
export async function runCli(tool: Tool): Promise<void> {
  const argv = process.argv.slice(2)
  const run: Run = { tool, argv, json: asksForJson(argv) }
  process.once('uncaughtException', async (error) => {
    process.exitCode = await end(run, error)
    // It was thrown in a callback, past every clean-up: what the verb waits for would keep the process alive.
    process.exit()
  })
  try {
    process.exitCode = await dispatch(run)
  } catch (error) {
    process.exitCode = await end(run, error)
  }
}

async function end(run: Run, error: unknown): Promise<ExitCode> {
  if (error instanceof ReaderGone) return exitCodes.done
  const { report } = await import('./failure-report.ts')
  return report(run.tool.name, error, run.json, stderr)
}

/** Only a guess, for command lines that do not parse; a parsed one says it for certain. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).some((word) => word === '--json' || word === '--jsonl')
}

async function dispatch(run: Run): Promise<ExitCode> {
  const lead = run.argv.findIndex((word) => !modeWords.includes(word))
  if (lead < 0) {
    const { renderBrief } = await import('./builtins.ts')
    say(renderBrief(run.tool), stderr)
    return exitCodes.usage
  }
  const words = run.argv.slice(lead)
  const { name, verb, length } = await findVerb(run.tool, words)
  return runVerb(run, name, verb, [...run.argv.slice(0, lead), ...words.slice(length)])
}

async function findVerb(tool: Tool, words: readonly string[]): Promise<Found> {
  const aliases = tool.aliases ?? {}
  for (const length of [2, 1]) {
    const typed = words.slice(0, length).join(' ')
    const name = Object.hasOwn(aliases, typed) ? (aliases[typed] ?? typed) : typed
    const load = Object.hasOwn(tool.verbs, name) ? tool.verbs[name] : undefined
    if (load !== undefined) return { name, verb: await load(), length }
  }
  const { findBuiltin } = await import('./builtins.ts')
  const found = findBuiltin(tool, words)
  if (found !== undefined) return found
  const { unknownVerb } = await import('./usage-hints.ts')
  throw unknownVerb(tool, words)
}

async function runVerb(run: Run, name: string, verb: Verb, argv: readonly string[]): Promise<ExitCode> {
  const { tool } = run
  const parsed = await parse(tool, name, verb, argv)
  const output = openOutput(parsed.mode, process.env, openSink(1), stderr)
  if (parsed.help) {
    const { renderVerb } = await import('./builtins.ts')
    output.raw(await renderVerb(tool, name, verb, output.color))
    return exitCodes.done
  }
  run.json = parsed.mode === 'json' || parsed.mode === 'jsonl'
  const context: Context = {
    tool: tool.name,
    cwd: workingFolder(),
    env: process.env,
    now: Date.now,
    input: openInput(0),
    output,
    interrupted: interruptions(),
  }
  return (await verb.run({ ...context, args: parsed.args, flags: parsed.flags })) ?? exitCodes.done
}

async function parse(tool: Tool, name: string, verb: Verb, argv: readonly string[]): Promise<Parsed> {
  const parser = tool.hot.includes(name) ? parseStrict : (await import('./citty.ts')).parseCitty
  try {
    return parser(argv, verb)
  } catch (error) {
    const { withHint } = await import('./usage-hints.ts')
    throw withHint(error, `${tool.name} ${name} --help`)
  }
}

function workingFolder(): string {
  try {
    return process.cwd()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    throw new Failure('notFound', 'expected a working folder, got one that was removed', {
      hint: 'cd to another',
      cause: error,
    })
  }
}
