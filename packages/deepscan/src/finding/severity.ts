/** Lowest first. */
export const severities = ['low', 'medium', 'high'] as const
export type Severity = (typeof severities)[number]

export const categories = ['correctness', 'reliability', 'security', 'performance', 'architecture'] as const
export type Category = (typeof categories)[number]

/** Kinds of file, by where it stands and how it begins. */
export const contexts = ['source', 'test', 'fixture', 'example', 'vendored', 'generated', 'minified', 'docs'] as const
