import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { entriesIn, readStored } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { fail } from '../errors/fail.ts'
import { currentId } from './current.ts'
import { type Scan, scanIdPattern, scanSchema } from './scan-schema.ts'
import { type Env, refuseForeign, scansHome } from './scans-home.ts'

/** A scan and where its files are. */
export type OpenScan = { scan: Scan; folder: string; home: string }

/**
 * The scan that `named` means, by its id, a unique beginning of it, or its name; without it the current scan of the
 * project that `cwd` lies in. Fails as DS-306 when there is none, as `ambiguous` when several begin so.
 */
export function openScan(env: Env, cwd: string, named: string | undefined): OpenScan {
  const home = scansHome(env)
  refuseForeign(home)
  refuseForeign(join(home, 'scans'))
  return readScan(home, named === undefined ? idOfProject(home, cwd) : idMeant(home, named))
}

/** The ids of all scans, newest first. */
export function listScanIds(home: string): string[] {
  const ids = entriesIn(join(home, 'scans')).flatMap(({ name }) => (scanIdPattern.test(name) ? [name] : []))
  return ids.sort((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))
}

/** A scan by its whole id. Fails as DS-502 when its file is damaged. */
export function readScan(home: string, id: string): OpenScan {
  const folder = join(home, 'scans', id)
  const path = join(folder, 'scan.json')
  const text = readStored(path)
  if (text === undefined) throw fail('DS-306', { reason: `the scan ${id} is gone` })
  const parsed = scanSchema.safeParse(parseJson(text))
  if (parsed.success && parsed.data.id === id) return { scan: parsed.data, folder, home }
  const reason = parsed.success ? `it says that it is ${parsed.data.id}` : 'it is not as a scan is kept'
  throw fail('DS-502', { path, reason })
}

/** The folder of a project whose current scan holds for `cwd`: the nearest one above that has one. */
function idOfProject(home: string, cwd: string): string {
  for (let folder = realpathSync(cwd); ; folder = dirname(folder)) {
    const id = currentId(home, folder)
    if (id !== undefined) return id
    if (dirname(folder) === folder) break
  }
  throw fail('DS-306', {
    reason: 'this project has no current scan',
    hint: 'deepscan init PATH makes one, deepscan list shows those of other folders',
  })
}

function idMeant(home: string, named: string): string {
  if (!/^[\w-]{1,200}$/.test(named)) throw fail('DS-002', { id: JSON.stringify(named) })
  const ids = listScanIds(home)
  if (ids.includes(named)) return named
  const begun = ids.filter((id) => id.startsWith(named) || id.slice('deepscan_'.length).startsWith(named))
  const called = begun.length === 0 ? ids.filter((id) => readScan(home, id).scan.name === named) : []
  const [id, ...others] = [...begun, ...called]
  if (id === undefined) throw fail('DS-306', { reason: `no scan is called ${named}` })
  if (others.length === 0 || begun.length === 0) return id
  throw new Failure('ambiguous', `${others.length + 1} scans begin with ${named}`, {
    hint: `say more of the id: ${[id, ...others].slice(0, 3).join(', ')}`,
  })
}

function secondsOf(id: string): number {
  return Number(id.split('_')[1])
}
