// How tools call git: not as the user would by hand.

/**
 * The commits, rebases and merges that tools make are mechanical: the user's hooks, signing, editors and background
 * maintenance stay out of them, and settings that would change what they do are off. On a
 * machine under load another worker's git may hold a lock of refs for longer than git waits by itself.
 */
export const mechanicalGit: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.filesRefLockTimeout=10000',
  'core.packedRefsTimeout=10000',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'rebase.autoSquash=false',
  'rebase.autoStash=false',
  'rebase.updateRefs=false',
  'merge.autoStash=false',
  // A submodule is a place of its own, to be proved by itself.
  'submodule.recurse=false',
  'advice.detachedHead=false',
].flatMap((setting) => ['-c', setting])

/** The environment in which git asks nobody, and answers in English. */
export const mechanicalGitEnvironment: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
}

/** What git complained of, on one line. */
export function gitSays(stderr: string): string {
  return stderr
    .split('\n')
    .map((line) => line.replace(/^(error|fatal|remote): /, '').trim())
    .filter((line) => line !== '' && line !== 'Aborting' && !line.startsWith('hint:'))
    .slice(0, 4)
    .join(' ')
}
