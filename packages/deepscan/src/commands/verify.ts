import { realpathSync } from 'node:fs'
import { defineVerb } from '@switchyard/cli-kit'
import { isFailure } from '@switchyard/ground/failure'
import { findRepository } from '@switchyard/ground/repository'
import type { Finding } from '../finding/finding.ts'
import { refuteFindings } from '../map/refute-findings.ts'
import { refuteFlags, refuteSettings } from '../map/refute-settings.ts'
import { gatherFindings } from '../reduce/gather.ts'
import { foldFindings } from '../reduce/scan-evidence.ts'
import { type Evidence, verifyFindings } from '../reduce/verify.ts'
import { renderFinding } from '../scan/render.ts'
import { appendFindings } from '../store/append-records.ts'
import { decodeSource } from '../text/source-text.ts'
import { containedFile } from '../walk/containment.ts'
import { readSourceFile } from '../walk/source-file.ts'
import { findFiles } from '../walk/walk.ts'

const fileBytesMax = 16_000_000

/** `deepscan verify`: says of each finding whether its quote is where it says. */
export const verify = defineVerb({
  summary: 'Say of each finding whether its quote stands where it says',
  args: [{ name: 'file', summary: 'Findings, one a line; - for stdin (those of the scan)', optional: true }],
  flags: {
    session: { type: 'string', value: 'ID', summary: 'The scan, if not the current one' },
    refute: { type: 'boolean', summary: 'Let a second agent try to refute what agents have found' },
    ...refuteFlags,
  },
  examples: [
    'deepscan verify',
    'deepscan verify --refute --with claude',
    'deepscan verify - <findings.jsonl --jsonl | deepscan reduce -',
  ],
  async run(call) {
    const { args, flags, cwd, env, input, output } = call
    const settings = refuteSettings(flags, args.file)
    const gathered = gatherFindings({ file: args.file, session: flags.session }, { cwd, env, input })
    const { findings, open } = gathered
    const verified = open === undefined ? verifyFindings(findings, workingTree(cwd, env.HOME)) : findings
    if (open !== undefined) appendFindings(open, changedSince(foldFindings(open), verified))
    const judged =
      settings === undefined || open === undefined ? verified : await refuteFindings(open, verified, settings, call)
    const shown = { text: renderVerified, id: ({ id }: Finding) => id, empty: 'there are no findings to verify' }
    output.list(judged, shown)
    if (judged.length > 0) output.note(renderCounts(judged))
  },
})

/** The findings that are not as the scan has them. */
function changedSince(kept: readonly Finding[], verified: readonly Finding[]): readonly Finding[] {
  const known = new Set(kept.map((finding) => JSON.stringify(finding)))
  return verified.filter((finding) => !known.has(JSON.stringify(finding)))
}

/** The files of the repository that the working folder is in, or of that folder. */
function workingTree(cwd: string, home: string | undefined): Evidence {
  const top = findRepository(realpathSync(cwd), home)?.top ?? realpathSync(cwd)
  const textOf = (path: string) => {
    try {
      const file = readSourceFile(containedFile(top, path), fileBytesMax)
      return typeof file === 'string' ? undefined : decodeSource(file.bytes).text
    } catch (error) {
      if (isFailure(error)) return undefined
      throw error
    }
  }
  const paths = () => findFiles([top], { cwd, home }, () => undefined).map(({ path }) => path)
  return { textOf, paths }
}

function renderVerified(finding: Finding): string {
  return `${finding.verification ?? 'unverified'} ${renderFinding(finding)}`
}

function renderCounts(findings: readonly Finding[]): string {
  const counts = new Map<string, number>()
  for (const { verification = 'unverified' } of findings) counts.set(verification, (counts.get(verification) ?? 0) + 1)
  return [...counts].map(([verification, number]) => `${number} ${verification}`).join(', ')
}
