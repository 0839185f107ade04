// Runs the worked examples of a page and says where the page is wrong.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { runApart } from './apart.ts'
import { cleanEnv } from './run.ts'

type Step = { line: number; command: string; expected: string }

type Where = { cwd: string; asPerson?: boolean }

/** Where a page and the truth differ. `line` counts from 1 in the page. */
export type Disagreement = { line: number; command: string; expected: string; printed: string }

/**
 * Runs the `console` blocks of a page, in order, in one bash in `cwd` with the built tools on its PATH, and returns the
 * commands whose output (stdout and stderr, as a terminal shows them) is not what the page says; none when the page is
 * true. A block is `$ command` lines, continued by `> ` lines, each followed by what it prints. `…` stands for anything
 * within a line, a line `…` for any number of lines. With `asPerson` no agent is above the bash, also where one runs
 * the tests.
 */
export function runConsoleBlocks(page: string, where: Where): Disagreement[] {
  const steps = stepsOf(readFileSync(page, 'utf8'))
  const printed = printedBy(steps, where)
  return steps.flatMap((step, at) => {
    const output = printed[at] ?? 'never ran'
    return isPrinted(step.expected, output) ? [] : [{ ...step, printed: output }]
  })
}

function stepsOf(markdown: string): Step[] {
  const steps: Step[] = []
  let isInside = false
  let continues = false
  for (const [at, text] of markdown.split('\n').entries()) {
    if (text.startsWith('```')) {
      isInside = text === '```console'
      continues = false
      continue
    }
    if (!isInside) continue
    const last = steps.at(-1)
    if (text.startsWith('$ ')) {
      steps.push({ line: at + 1, command: text.slice(2), expected: '' })
      continues = true
    } else if (last && continues && text.startsWith('> ')) {
      last.command += `\n${text.slice(2)}`
    } else if (last) {
      continues = false
      last.expected += `${text}\n`
    }
  }
  return steps
}

const separator = '\u001e'

/**
 * Before each command a separator, which leaves `$?` as it was; `eval`, so that a syntax error ends no other command.
 */
function printedBy(steps: readonly Step[], { cwd, asPerson = false }: Where): string[] {
  const lines = steps.map(({ command }) => `__next\neval '${command.replaceAll("'", `'\\''`)}'`)
  const bash = [
    `__next() { local status=$?; printf '${separator}'; return $status; }`,
    `trap 'kill $(jobs -p) 2>/dev/null' EXIT`,
    ...lines,
  ].join('\n')
  const options = { cwd, env: cleanEnv(), input: '', encoding: 'utf8', timeout: 1_500_000 } as const
  // Through a pipe, because node's own is a socket, which /dev/stdout and /dev/stderr cannot open.
  const piped = 'bash --noprofile --norc -c "$1" 2>&1 | cat'
  const line = ['-c', piped, 'bash', bash]
  if (asPerson)
    return runApart(['bash', ...line], options)
      .stdout.split(separator)
      .slice(1)
  const { stdout, error } = spawnSync('bash', line, options)
  if (error) throw error
  return stdout.split(separator).slice(1)
}

function isPrinted(expected: string, printed: string): boolean {
  const lines = expected.trimEnd().split('\n')
  const source = lines.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${lineSource(line)}\\n`)).join('')
  return new RegExp(`^${source}$`).test(`${printed.trimEnd()}\n`)
}

function lineSource(line: string): string {
  return line
    .split('…')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*')
}
