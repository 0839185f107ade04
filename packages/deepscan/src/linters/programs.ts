import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { findProgram } from '@switchyard/exec'
import { systemCode } from '@switchyard/ground/failure'
import type { LintProgram } from './program.ts'

/** Every linter, by the languages that it is for. */
export const linterLanguages = {
  oxlint: ['javascript', 'typescript', 'tsx'],
  ruff: ['python'],
  biome: ['javascript', 'typescript', 'tsx'],
  eslint: ['javascript', 'typescript', 'tsx'],
  shellcheck: ['bash'],
  semgrep: undefined,
} as const
export type LinterName = keyof typeof linterLanguages

/** Where programs are looked for. */
export type ProgramPlace = {
  cwd: string
  env: Readonly<Record<string, string>>
  /** A folder with our settings for the linters. */
  settings: string
  /** The top of the project that is scanned. */
  top: string
  /** Whether the project's own linters, settings and plugins may be used, which are code. */
  isTrusted: boolean
}

/**
 * How a linter is called; undefined where it is not there, or would run settings of the project that nobody has
 * allowed: those of eslint are code, and semgrep has no rules of its own.
 */
export function programOf(name: Exclude<LinterName, 'ruff'>, place: ProgramPlace): LintProgram | undefined {
  if (name === 'oxlint') return oxlintProgram(place)
  const program = findProgram(name, { cwd: place.cwd, env: { ...place.env, PATH: searchPath(place) } })
  if (program === undefined) return undefined
  if (name === 'shellcheck') {
    return { name, format: 'shellcheck', command: [program, '-f', 'json1', '--norc', '--'], done: [0, 1] }
  }
  if (name === 'biome') return { name, format: 'biome', command: [program, ...biomeArguments(place)], done: [0, 1] }
  if (!place.isTrusted) return undefined
  if (name === 'eslint') {
    const quiet = ['--no-error-on-unmatched-pattern', '--no-warn-ignored', '-f', 'json', '--']
    return { name, format: 'eslint', command: [program, ...quiet], done: [0, 1] }
  }
  const rules = ['.semgrep.yml', '.semgrep.yaml', '.semgrep'].find((file) => existsSync(join(place.top, file)))
  if (rules === undefined) return undefined
  const quiet = ['scan', '--sarif', '--quiet', '--metrics', 'off', '--disable-version-check', '--config']
  return { name, format: 'sarif', command: [program, ...quiet, join(place.top, rules), '--'], done: [0, 1] }
}

/**
 * Where linters are looked for. What a project has installed for itself is first with its trust, and without it is
 * passed over also where it is on PATH, as below `npx`.
 */
function searchPath({ env, cwd, top, isTrusted }: ProgramPlace): string {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  if (isTrusted) return [...ownFolders.map((folder) => join(top, folder)), ...folders].join(delimiter)
  const isForeign = (folder: string) => {
    const absolute = resolve(cwd, folder)
    return !absolute.endsWith(ownFolders[0]) && absolute !== top && !absolute.startsWith(join(top, '/'))
  }
  return folders.filter(isForeign).join(delimiter)
}

const ownFolders = ['node_modules/.bin', '.venv/bin', 'venv/bin'] as const

function biomeArguments({ settings, isTrusted }: ProgramPlace): readonly string[] {
  const quiet = ['lint', '--reporter=json', '--colors=off', '--max-diagnostics=none', '--no-errors-on-unmatched']
  return isTrusted ? [...quiet, '--'] : [...quiet, `--config-path=${settings}`, '--']
}

function oxlintProgram({ settings }: ProgramPlace): LintProgram | undefined {
  const script = installedOxlint()
  if (script === undefined) return undefined
  const own = ['-c', join(settings, 'oxlintrc.json'), '--disable-nested-config', '--no-ignore', '-f', 'json']
  const command = [process.execPath, script, ...own, '--no-error-on-unmatched-pattern', '--']
  return { name: 'oxlint', format: 'oxlint', command, done: [0, 1] }
}

/** The script of the oxlint that is installed with deepscan. */
function installedOxlint(): string | undefined {
  try {
    const require = createRequire(__filename)
    return join(dirname(require.resolve('oxlint/package.json')), 'bin', 'oxlint')
  } catch (error) {
    if (systemCode(error) === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
