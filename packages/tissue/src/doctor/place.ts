// Where the store lies, and what git is told about it.
import { existsSync } from 'node:fs'
import { type Finding, ok, orBad, type Visit } from '@switchyard/topic/examine/finding'
import { examineAccess, examineFileSystem, examineOthers } from '@switchyard/topic/examine/place'
import type { IssueStore } from '../store/store.ts'
import { examineGit } from './git.ts'

/** Looks at where the store lies: whether it can be written, on what disk, what git makes of it, and others near by. */
export async function examinePlace(store: IssueStore, visit: Visit): Promise<Finding[]> {
  const others = examineOthers(store.path, {
    cwd: visit.cwd,
    name: '.tissue',
    inside: 'issues.jsonl',
    advice: (path) => `to bring its issues here: tissue export --store ${path} | tissue import -; then remove it`,
  })
  if (!existsSync(store.log))
    return [ok('store', `${store.path} is not made yet (${store.reason}); the first issue makes it`), ...others]
  const access = 'reading works; to write, give this user the right'
  const disk = 'keep the store on a local disk (--store, TISSUE_STORE); git carries it between machines'
  return [
    examineAccess(store.path, store, access),
    examineFileSystem(store.path, disk),
    ...(await orBad('git', () => examineGit(store, visit))),
    ...others,
  ]
}
