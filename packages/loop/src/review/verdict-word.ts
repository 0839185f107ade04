/** What the last line of a review says: nothing else in it counts. */
export function verdictIn(answer: string): 'lgtm' | 'changes' | undefined {
  const word = answer
    .trimEnd()
    .split('\n')
    .at(-1)
    ?.replace(/[*_`.]/g, '')
    .trim()
    .toUpperCase()
  if (word === 'LGTM') return 'lgtm'
  return word === 'CHANGES' || word === 'CHANGESREQUESTED' ? 'changes' : undefined
}
