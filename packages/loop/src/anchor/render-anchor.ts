import type { Shown } from '@switchyard/cli-kit'
import type { Anchor } from './anchor-schema.ts'

/** An anchor as people and agents read it. */
export const shownAnchor: Shown<Anchor> = { text: renderAnchor, id: ({ run }) => run }

/** The whole anchor, a line for each thing. */
export function renderAnchor(anchor: Anchor): string {
  const { run, iteration, max, goal, issue, next_step } = anchor
  return [
    `Loop run ${run}, iteration ${iteration} of ${max}.`,
    `${issue === null ? 'Goal' : `Issue ${issue}`}: ${goal}`,
    ...factsOf(anchor),
    `Next: ${next_step}`,
  ].join('\n')
}

/** What the anchor knows of the place of work, a line each. */
export function factsOf({ worktree, progress, modified_files: files, modified_count: count }: Anchor): string[] {
  const more = count > files.length ? ` and ${count - files.length} more` : ''
  return [
    ...(worktree === null ? [] : [`Folder: ${worktree}`]),
    ...(progress.length === 0 ? [] : [`Last commits: ${progress.join('; ')}`]),
    ...(files.length === 0 ? [] : [`Not committed: ${files.join(', ')}${more}`]),
  ]
}
