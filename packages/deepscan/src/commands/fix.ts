import { realpathSync } from 'node:fs'
import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { findRepository } from '@switchyard/ground/repository'
import type { Fix } from '../finding/finding.ts'
import { mendSource } from '../fix/mend.ts'
import { replaceFile } from '../fix/replace-file.ts'
import { parseWanted } from '../fix/wanted.ts'
import { changedLines } from '../rule/rewrite.ts'
import { renderFix } from '../scan/render.ts'
import { findLanguage } from '../syntax/language.ts'
import { loadParser } from '../syntax/parser.ts'
import { decodeSource, encodeSource } from '../text/source-text.ts'
import { containedFile } from '../walk/containment.ts'
import { readSourceFile } from '../walk/source-file.ts'

const promptBytesMax = 16_000_000
const fileBytesMax = 16_000_000

/**
 * `deepscan fix`: applies a rule's rewrite to the finding in the prompt on stdin. It is a runner: exit 0 done, 3
 * nothing left to mend.
 * Exits 1 when there is no safe rewrite and 5 when the file was changed meanwhile; nothing is written then.
 */
export const fix = defineVerb({
  summary: "Apply a rule's rewrite to the finding on stdin",
  flags: {
    'dry-run': { type: 'boolean', summary: 'Show the change instead of writing it' },
    offers: { type: 'boolean', summary: 'Apply a rewrite that is an offer, too' },
  },
  examples: ['deepscan fix <finding.json', 'tissue show ISSUE --json | deepscan fix --dry-run'],
  async run({ flags, cwd, env, input, output }) {
    const wanted = parseWanted(readPrompt(input.readAll()))
    const top = findRepository(realpathSync(cwd), env.HOME)?.top ?? cwd
    const absolute = containedFile(top, wanted.path)
    const language = findLanguage(wanted.path)
    if (language === undefined) throw new Failure('failed', `there are no rules for files such as ${wanted.path}`)
    const file = readSourceFile(absolute, fileBytesMax)
    if (file === 'vanished') throw new Failure('notFound', `there is no ${wanted.path} here to mend`)
    if (typeof file === 'string') throw new Failure('failed', `${wanted.path} cannot be mended: ${file}`)
    const source = decodeSource(file.bytes)
    const parse = await loadParser(language)
    const { match, edits, text } = mendSource(parse, { path: wanted.path, language, text: source.text }, wanted, {
      withOffers: flags.offers,
    })
    const { before, after } = changedLines(source.text, edits)
    if (!flags['dry-run']) replaceFile({ absolute, path: wanted.path, ...file }, encodeSource(source, text))
    const { id, rule, path, line } = match.finding
    const done: Fix = { v: 1, type: 'fix', applied: !flags['dry-run'], id, rule, path, line, before, after }
    if (output.mode === 'json') output.one({ fixed: [done] }, { text: () => '', id: () => id })
    else output.each(done, { text: renderFix, id: () => wanted.id })
  },
})

function readPrompt(bytes: Buffer): string {
  if (bytes.length <= promptBytesMax) return bytes.toString('utf8')
  throw new Failure('usage', `expected a prompt of at most ${promptBytesMax} bytes, got ${bytes.length}`)
}
