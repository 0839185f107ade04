/** What a file is for. Rules and agents look at source first; what is not source weighs less or is left out. */
export const contexts = ['source', 'test', 'fixture', 'example', 'vendored', 'generated', 'minified', 'docs'] as const

export type Context = (typeof contexts)[number]
