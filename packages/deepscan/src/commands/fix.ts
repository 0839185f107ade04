import { realpathSync } from 'node:fs'
import { defineVerb } from '@switchyard/cli-kit'
import { exitCodes, Failure, isFailure } from '@switchyard/ground/failure'
import { findRepository } from '@switchyard/ground/repository'
import type { Fix, Wanted } from '../finding/finding.ts'
import { parseFindings } from '../finding/parse-findings.ts'
import { fixFile } from '../fix/fix-file.ts'
import { groupByPath } from '../fix/group-by-path.ts'
import { parseWanted } from '../fix/wanted.ts'
import { rules } from '../rules/all.ts'
import { withUserRules } from '../rules/user-rule.ts'
import { userRulesAt } from '../rules/user-rules-at.ts'
import { renderFix } from '../scan/render.ts'

const promptBytesMax = 64_000_000

/**
 * `deepscan fix`: applies a rule's rewrite to the finding in the prompt on stdin, or with `--all` to every finding
 * there. It is a runner: exit 0 done, 3 nothing left to mend.
 * Exits 1 when there is no safe rewrite and 5 when the file was changed meanwhile; nothing is written then.
 */
export const fix = defineVerb({
  summary: "Apply a rule's rewrite to the finding on stdin",
  flags: {
    all: { type: 'boolean', summary: 'Mend every finding on stdin that has a safe rewrite' },
    'dry-run': { type: 'boolean', summary: 'Show the change instead of writing it' },
    rules: { type: 'string', value: 'PATH', summary: 'Know your own rules, too: a folder of files, or one' },
    offers: { type: 'boolean', summary: 'Apply a rewrite that is an offer, too' },
  },
  examples: [
    'deepscan fix <finding.json',
    'tissue show ISSUE --json | deepscan fix --dry-run',
    'deepscan run --jsonl | deepscan fix --all',
  ],
  async run({ flags, cwd, env, input, output }) {
    const prompt = readPrompt(input.readAll())
    const top = findRepository(realpathSync(cwd), env.HOME)?.top ?? cwd
    const all = withUserRules(rules, await userRulesAt(flags.rules, cwd))
    const options = { isDry: flags['dry-run'], withOffers: flags.offers, all, env }
    if (!flags.all) {
      const wanted = parseWanted(prompt)
      const { fixes, left } = await fixFile(top, [wanted], options)
      const [failure] = left
      if (failure !== undefined) throw failure
      return show(fixes, wanted.id)
    }
    const wanted: readonly Wanted[] = parseFindings(prompt, 'stdin')
    const fixes: Fix[] = []
    const left: Failure[] = []
    for (const group of groupByPath(wanted)) {
      const fixed = await fixFile(top, group, options).catch((error: unknown) => {
        if (!isFailure(error)) throw error
        return { fixes: [], left: group.map(() => error) }
      })
      fixes.push(...fixed.fixes)
      left.push(...fixed.left)
    }
    show(fixes)
    output.note(`${fixes.length} of ${wanted.length} findings ${options.isDry ? 'would be mended' : 'mended'}`)
    for (const [reason, count] of countReasons(left)) output.note(`left ${count}: ${reason}`)
    return codeOf(fixes, left)

    function show(done: readonly Fix[], id?: string): undefined {
      if (output.mode === 'json') output.one({ fixed: done }, { text: () => '', id: () => id ?? '' })
      else for (const each of done) output.each(each, { text: renderFix, id: () => id ?? each.id })
    }
  },
})

function readPrompt(bytes: Buffer): string {
  if (bytes.length <= promptBytesMax) return bytes.toString('utf8')
  throw new Failure('usage', `expected a prompt of at most ${promptBytesMax} bytes, got ${bytes.length}`)
}

/** Why findings were left, each reason once with its number. */
function countReasons(left: readonly Failure[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { message } of left) counts.set(message, (counts.get(message) ?? 0) + 1)
  return counts
}

/** A file that others changed comes first; then what was mended; then why nothing was. */
function codeOf(fixes: readonly Fix[], left: readonly Failure[]): number | undefined {
  if (left.some(({ kind }) => kind === 'conflict')) return exitCodes.conflict
  if (fixes.length > 0) return undefined
  return left.some(({ kind }) => kind === 'failed') ? exitCodes.failed : exitCodes.notFound
}
