import { rmSync } from 'node:fs'
import { defineVerb } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { Failure } from '@switchyard/ground/failure'
import { type Doomed, findDoomed } from '../store/find-doomed.ts'
import { readScan } from '../store/open-scan.ts'
import { removeScan } from '../store/remove-scan.ts'
import { refuseForeign, scansHome } from '../store/scans-home.ts'

const dayMs = 86_400_000
const units: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['K', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
])

/** `deepscan clean`: removes scans that nobody has worked on for long, then the oldest ones until the rest is small. */
export const clean = defineVerb({
  summary: 'Remove old scans, and the oldest ones of what is too much',
  flags: {
    'older-than': {
      type: 'integer',
      value: 'DAYS',
      min: 0,
      max: 100_000,
      default: 7,
      summary: 'Remove what nobody has worked on for so many days',
    },
    'max-size': { type: 'string', value: 'SIZE', default: '1G', summary: 'Keep at most so much: 500M, 2G' },
    'dry-run': { type: 'boolean', summary: 'Say what would be removed' },
  },
  examples: ['deepscan clean', 'deepscan clean --older-than 30 --max-size 500M --dry-run'],
  async run({ flags, env, now, output }) {
    const home = scansHome(env)
    refuseForeign(home)
    const limits = { before: now() - flags['older-than'] * dayMs, bytesMax: parseSize(flags['max-size']) }
    const doomed = findDoomed(home, limits, (text) => output.note(text))
    if (!flags['dry-run']) for (const one of doomed) await removeDoomed(home, one)
    output.list(
      doomed.map(({ removed }) => removed),
      {
        text: ({ scan, bytes, reason }) =>
          [flags['dry-run'] ? 'would remove' : 'removed', scan, bytes, reason].join('\t'),
        id: ({ scan }) => scan,
        empty: 'nothing is old or too much',
      },
    )
    const bytes = doomed.reduce((sum, { removed }) => sum + removed.bytes, 0)
    if (doomed.length > 0) output.note(`${counted(doomed.length, 'scan')}, ${(bytes / 1e6).toFixed(1)} MB`)
  },
})

async function removeDoomed(home: string, { removed, folder }: Doomed): Promise<void> {
  if (removed.reason === 'left behind') rmSync(folder, { recursive: true, force: true })
  else await removeScan(readScan(home, removed.scan))
}

function parseSize(text: string): number {
  const [, digits, letter = ''] = /^(\d{1,12})([KMGT]?)B?$/i.exec(text) ?? []
  const unit = units.get(letter.toUpperCase())
  if (digits !== undefined && unit !== undefined) return Number(digits) * unit
  throw new Failure('usage', `expected --max-size to be a size such as 500M or 1G, got ${JSON.stringify(text)}`)
}
