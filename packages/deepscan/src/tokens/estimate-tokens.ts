/** About how many tokens a model takes a text for. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 3.6)
}
