/** Stores of the suite lie in worktrees only by accident; what is in them is never part of anybody's work. */
export const stores: readonly string[] = ['.jwz', '.tissue', '.deepscan', '.scope']

/** Leaves them out of what `:/` names to git. */
export const withoutStores = stores.map((store) => `:(exclude,top)${store}`)
