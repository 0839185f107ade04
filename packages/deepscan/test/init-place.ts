import { git } from '@switchyard/testkit'
import { openScan } from '../src/store/open-scan.ts'
import { readManifest } from '../src/store/read-records.ts'
import { scansPlace } from './scans-place.ts'

/** A place for scans whose files are committed; reads what a scan says of them. */
export function committedPlace(
  files: Record<string, string> = { 'a.ts': 'one\ntwo\nthree\n', 'b/c.ts': 'x\n', 'd.md': '# d\n' },
) {
  const made = scansPlace({}, files)
  const manifestOf = (id: string) => [...readManifest(openScan({ DEEPSCAN_HOME: made.home }, made.root, id))]
  const takenIn = (id: string) => manifestOf(id).flatMap(({ path, skip }) => (skip === null ? [path] : []))
  const commit = (message: string) => {
    git(made.root, 'add', '--all')
    git(made.root, 'commit', '--quiet', '--message', message)
    return git(made.root, 'rev-parse', 'HEAD')
  }
  return { ...made, manifestOf, takenIn, commit }
}
