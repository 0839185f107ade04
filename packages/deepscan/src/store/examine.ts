// What deepscan needs of the machine, and what is wrong with it: the looks of `deepscan doctor`.
import { rmSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { findProgram } from '@switchyard/exec'
import { lstatIfThere } from '@switchyard/ground/disk'
import { bad, type Finding, mendable, ok, type Visit, warn } from '@switchyard/topic/examine/finding'
import { findGrammars } from '../syntax/grammars.ts'
import { parsedLanguages } from '../syntax/language.ts'
import { listScans } from './list-scans.ts'
import { listScanIds } from './open-scan.ts'
import { bytesBelow, findLeftovers } from './remove-scan.ts'
import { type Env, makeScansHome, scansHome } from './scans-home.ts'

type Where = { cwd: string; env: Env }

const agents = ['claude', 'codex', 'gemini', 'opencode', 'aider', 'socrates'] as const
const linters = ['oxlint', 'biome', 'eslint', 'ruff', 'shellcheck', 'semgrep'] as const
const oldestNode = [20, 19] as const

/** Whether the folder of scans can be used, and what is in it. */
export function examineCache(env: Env, visit: Visit): Finding[] {
  const home = scansHome(env)
  if (lstatIfThere(home) === undefined) return [ok('cache', `${home} is made by the first init`)]
  makeScansHome(home)
  const damaged: Finding[] = []
  listScans(home, (text) => damaged.push(bad('scan', text, 'remove it with deepscan abort, or by hand')))
  const size = `${(bytesBelow(home) / 1e6).toFixed(1)} MB`
  return [ok('cache', `${home}: ${listScanIds(home).length} scans, ${size}`), ...damaged, ...examineLeft(home, visit)]
}

function examineLeft(home: string, visit: Visit): Finding[] {
  return findLeftovers(home).map((place) => {
    if (visit.fix) rmSync(place, { recursive: true, force: true })
    return mendable('leftovers', `${place} was left by a killed process`, visit)
  })
}

/** Which grammars this machine can load; the languages of the others are cut by their layout and not searched. */
export async function examineGrammars(): Promise<Finding[]> {
  const { missing } = await findGrammars()
  const there = parsedLanguages.filter((language) => !missing.has(language))
  const away = [...missing].map(([language, { message, hint }]) => warn(language, message, hint ?? 'install it'))
  return [ok('grammars', there.join(', ')), ...away]
}

/** Node, git, agents and linters. */
export function examinePrograms(where: Where, node: string): Finding[] {
  return [examineNode(node), examineGit(where), examineAgents(where), examineLinters(where)]
}

function examineNode(node: string): Finding {
  const [major = 0, minor = 0] = node.replace(/^v/, '').split('.').map(Number)
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])
  if (isOld) return bad('node', `${node} runs deepscan`, `install Node ${oldestNode.join('.')} or later`)
  const memory = `${(totalmem() / 1e9).toFixed(1)} GB`
  return ok('node', `${node}, ${availableParallelism()} processors, ${memory} of memory`)
}

function examineGit(where: Where): Finding {
  const path = findProgram('git', where)
  return path === undefined
    ? warn('git', 'is not on PATH', 'install it, for --rev, --since and --diff')
    : ok('git', path)
}

function examineAgents(where: Where): Finding {
  const found = agents.filter((name) => findProgram(name, where) !== undefined)
  if (found.length === 0) {
    return warn(
      'agents',
      `none of ${agents.join(', ')} is on PATH`,
      'install one, or name any command: deepscan map --with CMD',
    )
  }
  if (findProgram('scope', where) !== undefined) return ok('agents', found.join(', '))
  return warn(
    'agents',
    `${found.join(', ')}, but scope, which runs them, is not on PATH`,
    'put the folder of scope on PATH',
  )
}

function examineLinters(where: Where): Finding {
  const found = linters.filter((name) => findProgram(name, where) !== undefined)
  return ok('linters', found.length === 0 ? 'none on PATH; the built-in rules need none' : found.join(', '))
}
