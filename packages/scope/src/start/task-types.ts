// What each kind of task asks of an agent, as a part of its contract.

/** A kind of task: what is to be done, what is to be told at the end, and whether files may change. */
type Kind = { readonly goal: string; readonly tell: readonly string[]; readonly keepsFiles?: true }

/** By the word that `--type` takes; `docs/scope.md` shows them. */
export const taskKinds: Readonly<Record<'explore' | 'implement' | 'test' | 'review' | 'refactor', Kind>> = {
  explore: {
    goal: 'Find out how things are, for somebody who will not read all that you read.',
    tell: [
      'how the code is built, as far as it matters here',
      'the files that matter, with their paths',
      'the patterns and conventions that you saw',
    ],
    keepsFiles: true,
  },
  implement: {
    goal: 'Write or change code until the task is done.',
    tell: ['the files that you changed', 'the approach, in a few sentences', 'the assumptions that you made'],
  },
  test: {
    goal: 'Run the code and find out whether it does its job.',
    tell: ['whether it passes', 'each failure, with how to see it again', 'how far the result can be trusted'],
  },
  review: {
    goal: 'Read the code and judge it.',
    tell: ['your judgement: good, doubtful, or to be mended', 'each fault, with its place', 'how to mend it'],
    keepsFiles: true,
  },
  refactor: {
    goal: 'Change how the code is built, and nothing that it does.',
    tell: ['the files that you changed', 'the behaviour that stays, and how you know', 'the gain'],
  },
}
