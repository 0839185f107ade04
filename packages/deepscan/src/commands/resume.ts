import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { transact } from '@switchyard/jsonl'
import { fail } from '../errors/fail.ts'
import { setCurrent } from '../store/create-scan.ts'
import { markerPath } from '../store/current.ts'
import { foldStatus, type Status } from '../store/fold-status.ts'
import { listScans } from '../store/list-scans.ts'
import { type OpenScan, openScan, readScan } from '../store/open-scan.ts'
import { renderStatus } from '../store/render-status.ts'
import { makeScansHome, scansHome } from '../store/scans-home.ts'

/** `deepscan resume [ID]`: makes a scan the current one of its project again, and says what is left to do. */
export const resume = defineVerb({
  summary: 'Make a scan the current one again: by ID, or the last one here',
  args: [{ name: 'id', summary: 'A scan, by id or name', optional: true }],
  examples: ['deepscan resume', 'deepscan resume deepscan_1737284400'],
  async run({ args, cwd, env, output }) {
    const home = scansHome(env)
    const open = args.id === undefined ? lastHere(home, cwd) : openScan(env, cwd, args.id)
    makeScansHome(home)
    await transact(markerPath(home, open.scan.root), () => setCurrent(home, open.scan.root, open.scan.id))
    const status = foldStatus(open)
    output.one(status, { text: () => `${renderStatus(status)}\n${nextStep(status)}`, id: ({ scan }) => scan })
  },
})

/** The scan worked on last of those whose root holds the working folder. */
function lastHere(home: string, cwd: string): OpenScan {
  const here = realpathSync(cwd)
  const last = listScans(home, () => undefined).find(({ root }) => here === root || here.startsWith(root + sep))
  if (last === undefined) throw fail('DS-306', { reason: 'this project has no scan' })
  return readScan(home, last.scan)
}

function nextStep({ chunks, findings }: Status): string {
  if (chunks.total === 0) return 'next: deepscan chunk'
  if (chunks.pending + chunks.failed > 0) return 'next: deepscan map, which goes on where it stopped'
  return findings > 0 ? 'next: deepscan reduce' : 'next: deepscan coverage'
}
