// The judgement of a plain call of git, loaded without the parser and the other rules.

import { verdictOf, verdictOfOwn } from './policy.ts'
import { judgeGit } from './rules/git.ts'
import { aliasAt } from './scene/git-files.ts'
import { metered } from './scene/metered.ts'
import { nowhere } from './scene/nowhere.ts'
import type { Scene } from './scene/scene.ts'
import { asksForHelp, type Command } from './shell/command.ts'
import { strictest } from './verdict/finding.ts'
import type { Verdict } from './verdict/verdict.ts'

/** What the rules say to a plain call of git; undefined when it is a person's alias, which is read as a whole. */
export function weighGit(argv: readonly string[], here: Scene): Verdict | undefined {
  const scene = metered(here)
  if (aliasAt(argv[1] ?? '', scene.cwd, scene.world) !== undefined) return undefined
  const command: Command = { argv, env: [], redirects: [], stdin: undefined, cwd: scene.cwd, via: [], remote: false }
  const findings = asksForHelp(argv) ? [] : judgeGit(command, scene)
  return strictest([...findings.map((finding) => verdictOf(finding, scene)), ...verdictOfOwn(command, scene)])
}

/**
 * Judges a push and a reset: the build keeps the code that this has compiled.
 *
 * @public
 */
export function warmUp(): void {
  for (const line of ['git push --force origin main', 'git reset --hard']) weighGit(line.split(' '), nowhere())
}
