import { defineVerb, type Output } from '@switchyard/cli-kit'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { landQueued, wantedOfQueued } from '../by-hand/land-queued.ts'
import { type Hand, openAndLand, openPlaces, type Wanted } from '../by-hand/open-by-hand.ts'
import { previewLanding } from '../by-hand/preview.ts'
import { shownPreview, shownResult } from '../render/shown.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { askingTrust } from '../trust/ask-trust.ts'

/**
 * `loop land`: exits 0 when it landed, was done already or is proposed, 1 when it is not verified or not reviewed, 5
 * when it conflicts, is parked or held by another, 8 when the remote cannot be reached. Without a change it lands what
 * waits in the queue, and exits 3 when nothing does, else as for the first that did not land.
 */
const verb = defineVerb({
  summary: 'Land the branch of an issue by hand: rebased, verified, pushed if wanted; or all that waits to land',
  args: [{ name: 'change', summary: 'An issue, a branch loop/issue/…, or the folder of a worktree', optional: true }],
  flags: {
    base: { type: 'string', value: 'BRANCH', summary: 'Where it lands; else what the main tree has checked out' },
    verify: { type: 'string', value: 'CMD', summary: 'What must pass on the rebased files; else what loop.json says' },
    'no-verify': { type: 'boolean', summary: 'Land without verifying, which is recorded' },
    push: { type: 'boolean', summary: 'Push the base to its remote' },
    strategy: {
      type: 'choice',
      choices: ['ff', 'rebase', 'squash', 'merge'],
      summary: 'How it gets onto the base (ff: as rebase); else what loop.json says',
    },
    pr: { type: 'string', value: 'CMD', summary: 'A line of shell that proposes the branch instead of landing it' },
    keep: { type: 'boolean', summary: 'Keep the worktree and the branch' },
    'dry-run': { type: 'boolean', summary: 'Only say what would happen' },
    timeout: { type: 'duration', default: '1h', summary: 'Of one call of the verify command' },
    as: { type: 'string', value: 'NAME', summary: 'Who lands it, and holds the issue meanwhile' },
  },
  examples: ['loop land', `loop land auth-123 --verify 'npm test'`, 'loop land . --dry-run --no-verify'],
  async run({ args, flags, cwd, env, now, output, interrupted }) {
    if (flags.verify !== undefined && flags['no-verify']) {
      throw new Failure('usage', 'expected --verify or --no-verify, got both', { hint: 'leave one out' })
    }
    const note = (text: string) => output.note(`loop: ${text}`)
    const world = { cwd, env, now, note, as: flags.as, timeoutMs: flags.timeout }
    if (args.change === undefined) {
      const one = (['base', 'no-verify', 'push', 'strategy', 'pr', 'keep', 'dry-run'] as const).find(
        (name) => flags[name],
      )
      if (one !== undefined) {
        throw new Failure('usage', `expected a change with --${one}, got none`, { hint: 'loop queue list shows them' })
      }
      return landAll({ ...world, stop: interrupted() }, flags.verify, output)
    }
    const strategy = flags.strategy === 'ff' ? 'rebase' : flags.strategy
    const asked: Wanted = {
      ...{ change: args.change, base: flags.base, keep: flags.keep },
      verify: flags['no-verify'] ? false : flags.verify,
      landing: { push: flags.push || undefined, strategy, pr: flags.pr },
    }
    const wanted = await wantedOfQueued(asked, world)
    if (flags['dry-run']) {
      const preview = await previewLanding(await openPlaces({ cwd, env }), wanted, { env, now: now() })
      output.one(preview, shownPreview)
      return preview.conflicts.length === 0 ? exitCodes.done : exitCodes.conflict
    }
    const result = await openAndLand({ ...world, stop: interrupted() }, wanted)
    output.one(result, shownResult)
    return landingCode(result)
  },
})

export const land = askingTrust(verb)

async function landAll(hand: Hand, verify: string | undefined, output: Output): Promise<ExitCode> {
  const results: IssueResult[] = []
  await landQueued(hand, verify, (result) => {
    results.push(result)
    if (output.mode !== 'json') output.each(result, shownResult)
  })
  if (output.mode === 'json') output.list(results, shownResult)
  if (results.length > 0) return results.map(landingCode).find((code) => code !== exitCodes.done) ?? exitCodes.done
  output.note('nothing is queued or parked')
  return exitCodes.notFound
}

/** The exit code of a landing by hand. */
function landingCode({ outcome }: IssueResult): ExitCode {
  switch (outcome) {
    case 'landed':
    case 'already-done':
    case 'complete':
    case 'proposed':
      return exitCodes.done
    case 'queued':
      return exitCodes.outside
    case 'parked':
    case 'skipped':
    case 'cancelled':
      return exitCodes.conflict
    default:
      return exitCodes.failed
  }
}
