/** Lowest first. */
export const severities = ['low', 'medium', 'high'] as const
export type Severity = (typeof severities)[number]

export const categories = ['correctness', 'reliability', 'security'] as const
export type Category = (typeof categories)[number]
