import { defineVerb } from '@switchyard/cli-kit'
import { readEntries } from '../land/queue.ts'
import { openPlainChildren } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { shownEntry } from '../render/shown.ts'
import { findRepository } from '../worktree/repository.ts'

/** `loop queue list`: what could not land yet, oldest first. Exits 0 also when there is nothing. */
export const queueList = defineVerb({
  summary: 'List what could not land yet: queued or parked',
  examples: ['loop queue list', 'loop queue list --json'],
  async run({ cwd, env, output }) {
    const { commonDir } = await findRepository(openGit(openPlainChildren(env)), cwd)
    output.list(readEntries(commonDir, env), { ...shownEntry, empty: 'nothing is queued or parked' })
  },
})
