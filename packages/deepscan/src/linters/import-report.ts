import { lstatSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import type { Context } from '@switchyard/cli-kit'
import { readText } from '@switchyard/cli-kit/body'
import { Failure, isFailure, systemCode } from '@switchyard/ground/failure'
import type { Finding } from '../finding/finding.ts'
import { languageOf } from '../syntax/language.ts'
import { compareText } from '../text/compare.ts'
import { containedFile } from '../walk/containment.ts'
import type { Complaint } from './complaint.ts'
import { type LintFormat, readComplaints } from './formats.ts'
import { findingsOf } from './linted-file.ts'
import { topOf } from './top-of.ts'

const fileBytesMax = 16_000_000

const reportBytesMax = 500 * 1024 * 1024

/** Reads the report that a person names, `-` or nothing for stdin; see `importReport`. Exits 3 where it is not there. */
export function readReport(format: LintFormat, paths: readonly string[], call: Pick<Context, 'cwd' | 'env' | 'input'>) {
  const [file = '-', ...others] = paths
  if (others.length > 0) throw new Failure('usage', `expected one report behind --import, got ${paths.length}`)
  const text = readText(file, call, reportBytesMax)
  return importReport(format, text, {
    name: file === '-' ? 'stdin' : file,
    cwd: call.cwd,
    top: topOf(call.cwd, call.env),
  })
}

/**
 * The findings of a report that a linter wrote elsewhere, by path and line, and how many of its complaints are about
 * nothing that is here. Relative paths count from `cwd`, and where there is no such file, from `top`. Exits 2 for what
 * is no report in the format.
 */
function importReport(
  format: LintFormat,
  text: string,
  { name, cwd, top }: { name: string; cwd: string; top: string },
): { findings: readonly Finding[]; lost: number } {
  const read = readComplaints(format, text)
  if ('fault' in read) {
    throw new Failure('usage', `${name} is no report in the format ${format}: ${read.fault}`, {
      hint: 'have the linter write its JSON, and name its format behind --import',
    })
  }
  const byPath = new Map<string, Complaint[]>()
  for (const complaint of read.complaints) {
    const here = resolve(cwd, complaint.path)
    const path = relative(top, isAbsolute(complaint.path) || isFile(here) ? here : resolve(top, complaint.path))
    byPath.set(path, [...(byPath.get(path) ?? []), complaint])
  }
  const paths = [...byPath.keys()].sort(compareText)
  const findings = paths.flatMap((path) => findingsIn(top, path, byPath.get(path) ?? []))
  return { findings, lost: read.complaints.length - findings.length }
}

function findingsIn(top: string, path: string, complaints: readonly Complaint[]): readonly Finding[] {
  try {
    const absolute = containedFile(top, path)
    return findingsOf(
      { absolute, path, below: path, language: languageOf(path, '') ?? 'text' },
      complaints,
      fileBytesMax,
    )
  } catch (error) {
    if (isFailure(error)) return []
    throw error
  }
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile()
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}
