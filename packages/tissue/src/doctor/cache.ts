// Whether the cache says the same as the log.
import { existsSync, rmSync } from 'node:fs'
import { orRefused } from '@switchyard/ground/disk'
import { bad, type Finding, mendable, ok, type Visit } from '@switchyard/topic/examine/finding'
import { cachePath, readCache } from '../cache/cache.ts'
import { viewsOf } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { type IssueStore, readLedger } from '../store/store.ts'

/** Looks at the cache, and compares its open issues with those of the whole log. */
export function examineCache({ log }: IssueStore, visit: Visit): Finding[] {
  if (!existsSync(log)) return []
  const path = cachePath(log)
  if (!existsSync(path)) return [ok('cache', 'there is none, which costs only time')]
  if (readCache(log) === undefined) return [ok('cache', 'it is of another version, and will be made anew')]
  const [said, meant] = [readLedger(log, { openOnly: [] }), readLedger(log)].map(({ ledger }) => openIssues(ledger))
  if (said === meant) return [ok('cache', 'agrees with the log')]
  if (visit.fix) orRefused(`${path} was to be removed`, () => rmSync(path, { force: true }))
  const found = mendable('cache', `${path} does not agree with the log`, visit)
  return [visit.fix ? found : bad('cache', found.detail, found.advice ?? '')]
}

function openIssues(ledger: Ledger): string {
  const { ids, isOver, view } = viewsOf(ledger)
  const open = ids.filter((id) => !isOver(id)).map(view)
  return JSON.stringify(
    open.map(({ id, rev, status, priority, blocked_by }) => [id, rev, status, priority, blocked_by]),
  )
}
