// What a line says, if it says anything.

/** The JSON object that a line holds, or undefined when it is damaged or something else. Never throws. */
export function parseRecord(line: { text: string }): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line.text)
    return isRecord(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
