import { defineVerb } from '@switchyard/cli-kit'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { openAndLand, openPlaces, type Wanted } from '../by-hand/open-by-hand.ts'
import { previewLanding } from '../by-hand/preview.ts'
import { shownPreview, shownResult } from '../render/shown.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { askingTrust } from '../trust/ask-trust.ts'

/**
 * `loop land`: exits 0 when it landed, was done already or is proposed, 1 when it is not verified or not reviewed, 5 when it conflicts,
 * is parked or held by another, 8 when the remote cannot be reached.
 */
const verb = defineVerb({
  summary: 'Land the branch of an issue by hand: rebased, verified, pushed if wanted',
  args: [{ name: 'change', summary: 'An issue, a branch loop/issue/…, or the folder of a worktree' }],
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
  examples: [`loop land auth-123 --verify 'npm test'`, 'loop land . --dry-run --no-verify'],
  async run({ args, flags, cwd, env, now, output, interrupted }) {
    if (flags.verify !== undefined && flags['no-verify']) {
      throw new Failure('usage', 'expected --verify or --no-verify, got both', { hint: 'leave one out' })
    }
    const strategy = flags.strategy === 'ff' ? 'rebase' : flags.strategy
    const wanted: Wanted = {
      ...{ change: args.change, base: flags.base, keep: flags.keep },
      verify: flags['no-verify'] ? false : flags.verify,
      landing: { push: flags.push || undefined, strategy, pr: flags.pr },
    }
    if (flags['dry-run']) {
      const preview = await previewLanding(await openPlaces({ cwd, env }), wanted, { env, now: now() })
      output.one(preview, shownPreview)
      return preview.conflicts.length === 0 ? exitCodes.done : exitCodes.conflict
    }
    const note = (text: string) => output.note(`loop: ${text}`)
    const hand = { cwd, env, now, note, stop: interrupted(), as: flags.as, timeoutMs: flags.timeout }
    const result = await openAndLand(hand, wanted)
    output.one(result, shownResult)
    return landingCode(result)
  },
})

export const land = askingTrust(verb)

/** The exit code of a landing by hand. */
export function landingCode({ outcome }: IssueResult): ExitCode {
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
