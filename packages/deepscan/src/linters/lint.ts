import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { cleanEnv } from '@switchyard/exec'
import { biomeSettings } from './biome-settings.ts'
import type { Complaint } from './complaint.ts'
import { oxlintSettings } from './oxlint.ts'
import { runProgram } from './program.ts'
import { type LinterName, linterLanguages, programOf } from './programs.ts'
import { runRuff } from './run-ruff.ts'

export type LintedSource = { absolute: string; path: string; language: string }

export type LintRequest = {
  linters: readonly LinterName[]
  /** The top of the project that is scanned, and whether its own linters, settings and plugins may run. */
  top: string
  isTrusted: boolean
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  timeoutMs: number
}

/** What linters said, by the path of the file as its findings carry it, and what went wrong, a line each. */
export type LintReport = { complaints: ReadonlyMap<string, readonly Complaint[]>; faults: readonly string[] }

/**
 * Runs linters over files. One that is not there is passed over; one that crashes, hangs or prints garbage is told of,
 * and the others go on. Nothing of the files' own project runs unless it is trusted.
 */
export async function lintFiles(files: readonly LintedSource[], request: LintRequest): Promise<LintReport> {
  const settings = mkdtempSync(join(tmpdir(), 'deepscan-lint-'))
  try {
    writeFileSync(join(settings, 'oxlintrc.json'), oxlintSettings())
    writeFileSync(join(settings, 'biome.json'), biomeSettings())
    const complaints = new Map<string, Complaint[]>()
    const faults: string[] = []
    const paths = new Map(files.map(({ absolute, path }) => [absolute, path]))
    for (const name of request.linters) {
      const own = files.filter(({ language }) => isFor(name, language)).map(({ absolute }) => absolute)
      if (own.length === 0) continue
      const linted = await lintWith(name, own, { ...request, settings })
      if (linted === undefined) continue
      if (linted.fault !== undefined) faults.push(`${name}: ${linted.fault}`)
      for (const complaint of linted.complaints) {
        const path = paths.get(resolve(request.cwd, complaint.path))
        if (path === undefined) continue
        const known = complaints.get(path)
        if (known === undefined) complaints.set(path, [complaint])
        else known.push(complaint)
      }
    }
    return { complaints, faults }
  } finally {
    rmSync(settings, { recursive: true, force: true })
  }
}

function isFor(name: LinterName, language: string): boolean {
  const languages: readonly string[] | undefined = linterLanguages[name]
  return languages === undefined || languages.includes(language)
}

async function lintWith(name: LinterName, files: readonly string[], request: LintRequest & { settings: string }) {
  const env = cleanEnv(request.env)
  if (name === 'ruff') return await runRuff(files, { env, timeoutMs: request.timeoutMs })
  const program = programOf(name, { ...request, env })
  return program === undefined ? undefined : await runProgram(program, files, { ...request, env })
}
