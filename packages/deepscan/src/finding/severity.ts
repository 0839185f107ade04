/** Lowest first. */
export const severities = ['low', 'medium', 'high'] as const
export type Severity = (typeof severities)[number]

/** Whether a severity, or a confidence, is that high. */
export function isAtLeast(level: Severity, lowest: Severity): boolean {
  return severities.indexOf(level) >= severities.indexOf(lowest)
}

export const categories = ['correctness', 'reliability', 'security', 'performance', 'architecture'] as const
export type Category = (typeof categories)[number]
