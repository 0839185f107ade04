import { accessSync, constants, existsSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemCode } from '@switchyard/cli-kit/failure'
import { busExists, orRefused, type Store, topicsFolder } from '@switchyard/topic'
import { bad, type Finding, mendable, ok, orBad, warn } from './finding.ts'

/** File systems that do not keep what O_APPEND promises between machines, by the number that statfs gives. */
const sharedFileSystems: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB 2',
  16914839: '9p',
}

/** Looks at where the store lies: whether it can be written, on what disk, what git makes of it, and others near by. */
export async function examinePlace(store: Store, { cwd, fix }: { cwd: string; fix: boolean }): Promise<Finding[]> {
  const others = otherStores(store, cwd)
  if (!busExists(store)) return [ok('store', `${store.path} is not made yet; the first post makes it`), ...others]
  const git = await orBad('git', () => examineGit(store, fix))
  return [examineAccess(store), examineFileSystem(store), ...git, ...others]
}

function examineAccess(store: Store): Finding {
  try {
    accessSync(topicsFolder(store), constants.R_OK | constants.W_OK | constants.X_OK)
    return ok('store', `${store.path}: ${store.reason}`)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return bad('store', `${store.path} may not be written: ${code}`, 'reading works; to post, give this user the right')
  }
}

function examineFileSystem(store: Store): Finding {
  const name = sharedFileSystems[statfsSync(store.path).type]
  if (name === undefined) return ok('disk', 'a local file system')
  const advice = 'keep the store on a local disk (--store, JWZ_STORE); jwz-relay carries topics between machines'
  return bad('disk', `${store.path} lies on ${name}, where appends from several machines can be lost`, advice)
}

function examineGit(store: Store, fix: boolean): Finding[] {
  const ignore = join(store.path, '.gitignore')
  const findings: Finding[] = []
  if (!existsSync(ignore)) {
    if (fix) orRefused(`${ignore} was to be written`, () => writeFileSync(ignore, '*\n'))
    findings.push(mendable('git', 'the store does not hide itself from git: its .gitignore is missing', fix))
  }
  if (isTracked(store)) {
    const advice = 'git rm -r --cached .jwz; share topics with jwz export and import'
    findings.push(bad('git', 'git tracks topics: a checkout, stash or merge hides or loses messages', advice))
  }
  return findings.length > 0 ? findings : [ok('git', 'does not see the store')]
}

/** By a look into the index, which holds the paths as they are. */
function isTracked({ repository }: Store): boolean {
  const index = repository && join(repository.gitDir, 'index')
  return index !== undefined && existsSync(index) && readFileSync(index).includes('.jwz/topics/')
}

/** Stores that lie in the current folder or above it, and that no command here uses. */
function otherStores(store: Store, cwd: string): Finding[] {
  const findings: Finding[] = []
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, '.jwz')
    if (path !== store.path && existsSync(join(path, 'topics'))) {
      const advice = `to bring its messages here: jwz export --store ${path} | jwz import -; then remove it`
      findings.push(warn('other store', `${path} is not the one that is used here`, advice))
    }
    if (dirname(folder) === folder) return findings
  }
}
