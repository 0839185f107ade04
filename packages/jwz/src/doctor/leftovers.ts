import { type Dirent, existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { counted } from '@switchyard/cli-kit/counted'
import { finishDropped, lockState, transact } from '@switchyard/jsonl'
import { entriesBelow, orRefused, orRefusedLater, type Store } from '@switchyard/topic'
import { type Finding, mendable, ok, warn } from './finding.ts'

/** A draft lives for milliseconds; one of this age was left by a process that was killed. */
const draftAgeMs = 60 * 60_000

/** Looks for what killed processes leave behind: locks and half-written files. All of it is harmless. */
export async function examineLeftovers(store: Store, { now, fix }: { now: number; fix: boolean }): Promise<Finding[]> {
  if (!existsSync(store.path)) return []
  const entries = [...entriesBelow(store.path)]
  const findings = [
    ...(await examineLocks(entries, fix)),
    ...(await examineDrops(entries, fix)),
    ...examineDrafts(entries, { now, fix }),
  ]
  return findings.length > 0 ? findings : [ok('leftovers', 'no lock is held, nothing was left behind')]
}

async function examineLocks(entries: readonly Dirent[], fix: boolean): Promise<Finding[]> {
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
    if (fix) await orRefusedLater(`${path}.lock was to be removed`, () => transact(path, () => undefined))
    findings.push(mendable('lock', `${holder} ended while it held ${path}.lock`, fix))
  }
  return findings
}

/** A note beside a topic that says which segments are leaving, although nobody is dropping any. */
async function examineDrops(entries: readonly Dirent[], fix: boolean): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const entry of entries.filter((one) => one.isFile() && one.name.endsWith('.jsonl.leaving'))) {
    const path = join(entry.parentPath, entry.name.slice(0, -'.leaving'.length))
    if (lockState(path).state === 'held') continue
    if (fix) await orRefusedLater(`${entry.name} was to be removed`, () => finishDropped(path))
    findings.push(mendable('drop', `a compaction that ended half-way left ${path}.leaving, which is harmless`, fix))
  }
  return findings
}

function examineDrafts(entries: readonly Dirent[], { now, fix }: { now: number; fix: boolean }): Finding[] {
  const drafts = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.draft'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) < now - draftAgeMs)
  if (drafts.length === 0) return []
  if (fix) {
    orRefused('half-written files were to be removed', () => {
      for (const draft of drafts) rmSync(draft, { force: true })
    })
  }
  return [mendable('drafts', `${counted(drafts.length, 'half-written file')} of killed processes`, fix)]
}
