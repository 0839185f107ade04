import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { parseDuration } from '@switchyard/cli-kit/duration'
import { Failure } from '@switchyard/ground/failure'
import { askingTrust } from '../trust/ask-trust.ts'
import { makeWorktree } from '../worktree/make-worktree.ts'
import { openPlace, type WorktreePlace } from '../worktree/open-place.ts'
import { findOurs, listOurs } from '../worktree/our-worktrees.ts'
import { findBase } from '../worktree/repository.ts'
import type { WorktreeFacts } from '../worktree/worktree-schema.ts'

const timeoutMsDefault = 10 * 60_000

/**
 * `loop worktree add`: makes a worktree for an issue, or by a plain name, set up as loop.json says, and prints its
 * path. Exits 5 when there is one already, 1 when the set-up fails.
 */
const verb = defineVerb({
  summary: 'Make a worktree, set up as loop.json says, and print its path',
  args: [{ name: 'name', summary: 'An issue, or a plain name' }],
  flags: {
    base: {
      type: 'string',
      value: 'REF',
      summary: 'The branch to start from and land on; or any commit to start from, such as kept work',
    },
    'no-setup': { type: 'boolean', summary: 'Only the files that git has' },
  },
  examples: ['loop worktree add try-it', 'cd "$(loop worktree add other --no-setup)"'],
  async run({ args, flags, cwd, env, now, output }) {
    const place = await openPlace({ cwd, env, now })
    const issue = await place.issue(args.name)
    const id = issue?.id ?? plainName(args.name)
    const start = await startOf(place, flags.base)
    const { path } = await makeWorktree(place, {
      ...{ id, isIssue: issue !== undefined, ...start, setsUp: !flags['no-setup'] },
      timeoutMs: parseDuration(place.config().timeout ?? '') ?? timeoutMsDefault,
      note: (text) => output.note(text),
    })
    const made = findOurs(await listOurs(place, path), id)
    output.one({ ...made.facts, path }, shownPath)
  },
})

export const worktreeAdd = askingTrust(verb)

const shownPath: Shown<WorktreeFacts> = { text: ({ path }) => path, id: ({ id }) => id }

function plainName(word: string): string {
  const name = word.trim()
  if (name !== '') return name
  throw new Failure('usage', 'expected an issue or a name, got nothing')
}

async function startOf(
  { git, repository, config }: WorktreePlace,
  wanted: string | undefined,
): Promise<{ base: string; at: string | undefined }> {
  if (wanted === undefined) return { base: await findBase(git, repository, config().base), at: undefined }
  const branch = wanted.replace(/^refs\/heads\//, '')
  const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options']
  const isBranch = await git.try(repository.here, [...asked, `refs/heads/${branch}^{commit}`])
  if (isBranch.exitCode === 0) return { base: branch, at: isBranch.stdout.trim() }
  const commit = await git.try(repository.here, [...asked, `${wanted}^{commit}`])
  if (commit.exitCode !== 0) {
    throw new Failure('usage', `expected --base to name a branch or a commit, ${wanted} is neither`)
  }
  return { base: await findBase(git, repository, config().base), at: commit.stdout.trim() }
}
