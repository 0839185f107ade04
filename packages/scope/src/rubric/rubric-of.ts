// The rubric that a checker stands for: a file, a prompt for an agent, or a command.

import { resolve } from 'node:path'
import { findProgram } from '@switchyard/exec'
import { statAt } from '@switchyard/ground/at-path'
import { readIfThere } from '@switchyard/ground/disk'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { parseRubric } from './rubric.ts'

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }

const pathLengthMax = 4000

/**
 * The text of the rubric. Exits 2 when it is empty, when a rubric file has a fault or a file cannot be run, 3 when a
 * rubric file is not there.
 */
export function rubricTextOf(checker: string, where: Where): string {
  if (checker.trim() === '') throw new Failure('usage', 'expected a checker, got nothing', { hint: hintOf })
  const prompt = /^\s*agent:([\s\S]*)$/.exec(checker)?.[1]
  if (prompt !== undefined) return judgedBy(prompt)
  const path = checker.trim()
  const isRubric = /^\S+\.(?:md|markdown)$/.test(path)
  const file = isFile(path, where.cwd)
  if (isRubric || (file && /\.(?:md|markdown)$/.test(path))) return readRubric(path, where.cwd)
  return gateOf(file ? programOf(path, where) : checker)
}

const hintOf = "a file of criteria, 'agent: what to judge by', or a command: --checker 'npm test'"

function isFile(path: string, cwd: string): boolean {
  if (path.length > pathLengthMax || path.includes('\n')) return false
  try {
    return statAt(resolve(cwd, path))?.isFile() === true
  } catch (error) {
    // What is no name of a file is a command.
    if (systemCode(error) === 'ENAMETOOLONG' || systemCode(error) === 'ERR_INVALID_ARG_VALUE') return false
    throw error
  }
}

function readRubric(path: string, cwd: string): string {
  const text = readIfThere(resolve(cwd, path))
  if (text === undefined) throw new Failure('notFound', `expected a file of criteria, there is no ${path}`)
  ensureRubric(text, path)
  return text
}

/** Exits 2 when the text is no rubric that could decide anything; `name` says where it is from. */
export function ensureRubric(text: string, name: string): void {
  const { faults } = parseRubric(text)
  if (faults.length === 0) return
  throw new Failure('usage', `${name} is no rubric: ${faults.join('; ')}`, {
    hint: 'a "## Gates" list of `commands`, a "## Criteria" list of sentences',
  })
}

/** A prompt as the one criterion, whatever its lines look like. */
function judgedBy(prompt: string): string {
  const lines = prompt.trim().split(/\r?\n/)
  if (lines.join('') === '') {
    throw new Failure('usage', 'expected what the agent is to judge by, got nothing', { hint: hintOf })
  }
  const [first, ...rest] = lines
  const text = [`- ${first}`, ...rest.map((line) => (line === '' ? '' : `  ${line}`))].join('\n')
  return `## Criteria\n\n${text}\n`
}

/** A file that is to be run, as the shell finds it. */
function programOf(path: string, { cwd, env }: Where): string {
  const name = path.includes('/') || findProgram(path, { cwd, env }) !== undefined ? path : `./${path}`
  if (findProgram(name, { cwd, env }) === undefined) {
    throw new Failure('usage', `expected ${path} to be a program, it may not be run`, {
      hint: `chmod +x ${path}, or say what runs it: --checker 'sh ${path}'`,
    })
  }
  return /^[\w./+-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`
}

/** A command as the one gate, in a fence that it does not contain. */
function gateOf(command: string): string {
  const longest = Math.max(0, ...[...command.matchAll(/`+/g)].map(([run]) => run.length))
  if (command.includes('\n') || command.includes('\r') || command.trim() !== command) {
    const fence = '`'.repeat(Math.max(3, longest + 1))
    return `## Gates\n\n${fence}sh\n${command}\n${fence}\n`
  }
  const ticks = '`'.repeat(longest + 1)
  return longest === 0 ? `## Gates\n\n- ${ticks}${command}${ticks}\n` : `## Gates\n\n- ${ticks} ${command} ${ticks}\n`
}
