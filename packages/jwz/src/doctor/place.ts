import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orRefused } from '@switchyard/ground/disk'
import { busExists, type Store, topicsFolder } from '@switchyard/topic'
import { type Finding, mendable, ok, orBad, type Visit } from '@switchyard/topic/examine/finding'
import { examineAccess, examineFileSystem, examineOthers } from '@switchyard/topic/examine/place'
import { examineTracked } from '@switchyard/topic/examine/tracked'

/** Looks at where the store lies: whether it can be written, on what disk, what git makes of it, and others near by. */
export async function examinePlace(store: Store, visit: Visit): Promise<Finding[]> {
  const others = examineOthers(store.path, {
    cwd: visit.cwd,
    name: '.jwz',
    inside: 'topics',
    advice: (path) => `to bring its messages here: jwz export --store ${path} | jwz import -; then remove it`,
  })
  if (!busExists(store)) return [ok('store', `${store.path} is not made yet; the first post makes it`), ...others]
  const access = 'reading works; to post, give this user the right'
  const disk = 'keep the store on a local disk (--store, JWZ_STORE); jwz-relay carries topics between machines'
  return [
    examineAccess(topicsFolder(store), store, access),
    examineFileSystem(store.path, disk),
    ...(await orBad('git', () => examineGit(store, visit))),
    ...others,
  ]
}

function examineGit(store: Store, visit: Visit): Finding[] {
  const ignore = join(store.path, '.gitignore')
  const findings: Finding[] = []
  if (!existsSync(ignore)) {
    if (visit.fix) orRefused(`${ignore} was to be written`, () => writeFileSync(ignore, '*\n'))
    findings.push(mendable('git', 'the store does not hide itself from git: its .gitignore is missing', visit))
  }
  findings.push(...examineTracked(store))
  return findings.length > 0 ? findings : [ok('git', 'does not see the store')]
}
