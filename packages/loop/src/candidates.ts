import type { Candidates } from '@switchyard/cli-kit'
import { agents } from '@switchyard/exec/runner'

/** What a shell offers, by the name of an argument or what stands for a flag's value in the help. */
export const candidates: Candidates = {
  id: { run: ['status', '--all', '--quiet'] },
  worktree: { run: ['worktree', 'list'] },
  runner: { words: agents },
  word: { words: ['done', 'nothing', 'stuck', 'limit'] },
  verdict: { words: ['lgtm', 'changes'] },
}
