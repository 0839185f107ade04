import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { parsePrices, priceAll } from '../explore/prices.ts'
import { renderScout } from '../explore/render-scout.ts'
import { survey } from '../explore/scout.ts'
import type { Scout } from '../explore/scout-schema.ts'
import { readChurn } from '../map/churn.ts'
import { collectEntries, readFromDisk } from '../store/collect-entries.ts'
import { rootOfPath, walkFiles } from '../walk/walk-files.ts'

/** `deepscan scout [PATH]`: what is here, how many tokens it has, what reading it costs. Writes nothing. */
export const scout = defineVerb({
  summary: 'See what is here before a scan: sizes, languages, hot spots, price',
  args: [{ name: 'path', summary: 'A folder (the working folder)', optional: true }],
  flags: {
    all: { type: 'boolean', summary: 'Count what is generated, minified or vendored, too' },
    'no-gitignore': { type: 'boolean', summary: 'Count what git ignores, too' },
    prices: {
      type: 'string',
      value: 'FILE',
      summary: 'JSON: {"MODEL": {"input": USD, "output": USD}} for a million tokens',
    },
  },
  examples: ['deepscan scout', 'deepscan scout src --json'],
  async run({ args, flags, cwd, env, output }) {
    const origin = { cwd, home: env['HOME'] }
    const prices = flags.prices === undefined ? {} : parsePrices(readPrices(cwd, flags.prices), flags.prices)
    const named = args.path ?? '.'
    const root = rootOfPath(named, origin)
    const path = relative(root, resolve(cwd, named)) || '.'
    const commits = await readChurn(root, env)
    const walked = walkFiles([named], { ...origin, gitignore: !flags['no-gitignore'] })
    const entries = collectEntries(walked, { read: readFromDisk(10_000_000), all: flags.all, lazy: false })
    const seen = await survey(entries, commits, (file) => (path === '.' ? file : file.slice(path.length + 1)))
    const found: Scout = {
      v: 1,
      type: 'scout',
      path,
      ...seen,
      prices: priceAll(prices, seen.input_tokens, seen.chunks),
    }
    output.one(found, { text: renderScout, id: (one) => one.path })
  },
})

function readPrices(cwd: string, named: string): string {
  try {
    return readFileSync(resolve(cwd, named), 'utf8')
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    throw new Failure('notFound', `there is no file ${named}`, { hint: '--prices takes a table of prices in JSON' })
  }
}
