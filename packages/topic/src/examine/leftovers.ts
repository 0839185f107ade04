import { type Dirent, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { counted } from '@switchyard/cli-kit/counted'
import { statAt } from '@switchyard/ground/at-path'
import { entriesBelow, orRefused, orRefusedLater } from '@switchyard/ground/disk'
import { finishDropped, lockState, transact } from '@switchyard/jsonl'
import { type Finding, mendable, ok, type Visit, warn } from './finding.ts'

/** A draft lives for milliseconds; one of this age was left by a process that was killed. */
const draftAgeMs = 60 * 60_000

/** Looks in a store for what killed processes leave behind: locks and half-written files. All of it is harmless. */
export async function examineLeftovers(path: string, visit: Visit): Promise<Finding[]> {
  if (!existsSync(path)) return []
  const entries = [...entriesBelow(path)]
  const findings = [
    ...(await examineLocks(entries, visit)),
    ...(await examineDrops(entries, visit)),
    ...examineDrafts(entries, visit),
  ]
  return findings.length > 0 ? findings : [ok('leftovers', 'no lock is held, nothing was left behind')]
}

async function examineLocks(entries: readonly Dirent[], visit: Visit): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const entry of entries.filter((one) => one.isDirectory() && one.name.endsWith('.lock'))) {
    const path = join(entry.parentPath, entry.name.slice(0, -'.lock'.length))
    const { state, holder = 'an unknown process' } = lockState(path)
    if (state === 'held')
      findings.push(warn('lock', `${holder} holds ${path}.lock`, 'wait for it; if it hangs, end it'))
    if (state === 'unknown')
      findings.push(
        warn('lock', `${holder} seems to hold ${path}.lock`, 'it is taken over when it has not stirred for a while'),
      )
    if (state !== 'left') continue
    // Whoever enters takes over what a dead process left, and gives it back.
    if (visit.fix) await orRefusedLater(`${path}.lock was to be removed`, () => transact(path, () => undefined))
    findings.push(mendable('lock', `${holder} ended while it held ${path}.lock`, visit))
  }
  return findings
}

/** A note beside a topic that says which segments are leaving, although nobody is dropping any. */
async function examineDrops(entries: readonly Dirent[], visit: Visit): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const entry of entries.filter((one) => one.isFile() && one.name.endsWith('.jsonl.leaving'))) {
    const path = join(entry.parentPath, entry.name.slice(0, -'.leaving'.length))
    if (lockState(path).state === 'held') continue
    if (visit.fix) await orRefusedLater(`${entry.name} was to be removed`, () => finishDropped(path))
    findings.push(mendable('drop', `a compaction that ended half-way left ${path}.leaving, which is harmless`, visit))
  }
  return findings
}

function examineDrafts(entries: readonly Dirent[], visit: Visit): Finding[] {
  const drafts = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.draft'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => (statAt(path)?.mtimeMs ?? visit.now) < visit.now - draftAgeMs)
  if (drafts.length === 0) return []
  if (visit.fix) {
    orRefused('half-written files were to be removed', () => {
      for (const draft of drafts) rmSync(draft, { force: true })
    })
  }
  return [mendable('drafts', `${counted(drafts.length, 'half-written file')} of killed processes`, visit)]
}
