import { type ExitCode, exitCodes, Failure, systemCode } from '@switchyard/ground/failure'
import type { Context, Output } from './context.ts'
import { interruptions } from './interrupt.ts'
import { openOutput, openSink, say } from './output.ts'
import { type Parsed, parseStrict } from './parse.ts'
import { openInput, ReaderGone } from './stdio.ts'
import type { Tool } from './tool.ts'
import type { Verb } from './verb.ts'

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
    try {
      process.exitCode = await end(run, error)
    } finally {
      // It was thrown in a callback, past every clean-up: what the verb waits for would keep the process alive, also
      // where there is nobody left to tell.
      process.exit()
    }
  })
  // A verb that waits for what nothing will bring ends the process, too, and would seem to have done its work.
  process.once('exit', () => {
    if (process.exitCode !== undefined) return
    process.exitCode = exitCodes.bug
    say(`${tool.name}: bug: it ended before it was done`, stderr)
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
  const code = await report(run.tool, error, run.json, stderr)
  const forgiven = await run.tool.forgives?.(run.argv, error, openInput(0))
  if (forgiven === undefined) return code
  say(forgiven, openSink(1))
  return exitCodes.done
}

/** Only a guess, for command lines that do not parse; a parsed one says it for certain. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).some((word) => word === '--json' || word === '--jsonl')
}

async function dispatch(run: Run): Promise<number> {
  const { tool, argv } = run
  if ((tool.main ?? tool.alone) === undefined && argv.every((word) => modeWords.includes(word))) {
    const { renderBrief } = await import('./builtins.ts')
    say(await renderBrief(tool), stderr)
    return exitCodes.usage
  }
  return perform(tool, argv, ({ mode }) => {
    run.json = mode === 'json' || mode === 'jsonl'
    return worldOf(tool, openOutput(mode, process.env, openSink(1), stderr))
  })
}

function worldOf(tool: Tool, output: Output): Context {
  const world: Context = {
    tool: tool.name,
    cwd: workingFolder(),
    env: process.env,
    now: Date.now,
    input: openInput(0),
    output,
    interrupted: interruptions(),
    perform: (argv, streams) => perform(tool, argv, () => ({ ...world, ...streams })),
  }
  return world
}

/** Finds the verb, parses what stands behind it, and runs it in the world that goes with what was asked. */
async function perform(tool: Tool, argv: readonly string[], worldFor: (parsed: Parsed) => Context): Promise<number> {
  const lead = argv.findIndex((word) => !modeWords.includes(word))
  const typed = argv.slice(Math.max(0, lead))
  const words = (await tool.meant?.(typed, workingFolder())) ?? typed
  const { name, verb, length } = await findVerb(tool, words)
  const parsed = await parse(tool, name, verb, [...argv.slice(0, Math.max(0, lead)), ...words.slice(length)])
  const world = worldFor(parsed)
  if (parsed.help) {
    const { renderVerb } = await import('./builtins.ts')
    world.output.raw(renderVerb(tool, name, verb, world.output.color))
    return exitCodes.done
  }
  const asked = flagsFromStdin(verb, parsed)
  const flags = asked.length === 0 ? parsed.flags : (await import('./stdin-values.ts')).withStdin(parsed, asked, world)
  return (await verb.run({ ...world, args: parsed.args, flags })) ?? exitCodes.done
}

/** What takes a text takes `-` for stdin, also as the value of a flag. */
function flagsFromStdin(verb: Verb, { flags }: Parsed): string[] {
  const specs = Object.entries(verb.flags ?? {})
  return specs.flatMap(([name, spec]) =>
    flags[name] === '-' && spec.type === 'string' && ['TEXT', 'JSON'].includes(spec.value) ? name : [],
  )
}

async function findVerb(tool: Tool, words: readonly string[]): Promise<Found> {
  const aliases = tool.aliases ?? {}
  for (const length of [2, 1]) {
    const typed = words.slice(0, length).join(' ')
    if (tool.gone?.includes(typed)) break
    const name = Object.hasOwn(aliases, typed) ? (aliases[typed] ?? typed) : typed
    const load = Object.hasOwn(tool.verbs, name) ? tool.verbs[name] : undefined
    if (load !== undefined) return { name, verb: await load(), length }
  }
  const { findBuiltin } = await import('./builtins.ts')
  const found = findBuiltin(tool, words)
  if (found !== undefined) return found
  const [first = '-'] = words
  const load = tool.main ?? (first.startsWith('-') ? tool.alone : undefined)
  if (load !== undefined) return { name: '', verb: await load(), length: 0 }
  const { unknownVerb } = await import('./usage-hints.ts')
  throw await unknownVerb(tool, words)
}

async function parse(tool: Tool, name: string, verb: Verb, argv: readonly string[]): Promise<Parsed> {
  try {
    return parseStrict(argv, verb)
  } catch (error) {
    const { withHint } = await import('./usage-hints.ts')
    throw await withHint(error, tool, name)
  }
}

function workingFolder(): string {
  try {
    return process.cwd()
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    throw new Failure('notFound', 'expected a working folder, got one that was removed', {
      hint: 'cd to another',
      cause: error,
    })
  }
}
