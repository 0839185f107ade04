/** What an agent is told to look for, by the name of its kind. */
export type AgentType = {
  readonly name: string
  readonly instruction: string
  /** Where its file lies, of one that does not come with deepscan. */
  readonly path: string | null
}

/** The kinds that come with deepscan. */
export const builtInTypes: Readonly<Record<string, string>> = {
  general: `Answer the question from this part alone. Report what the lines show, each thing once, at its place.
What depends on code that you do not see is uncertain: set confidence to low and verification_required to true. That holds above all for claims that something is unused, deprecated or broken.`,
  security: `Look for weaknesses that somebody outside could use: injection (SQL, shell, template, path, log), cross-site scripting, missing or wrong authentication and authorisation, secrets in the code, weak cryptography and weak randomness, missing validation of input, path traversal, unsafe deserialisation.
Judge severity by what an attacker gains, and confidence by whether the dangerous value comes from outside within these lines. Where it may be cleaned or checked elsewhere, set verification_required to true and say where you would look.`,
  architecture: `Look at structure: patterns and their breaches, coupling and cohesion, direction of dependencies, boundaries that are crossed, the shape of interfaces, the flow of data and control.
A claim about other modules cannot be proven from this part: set verification_required to true for it. Name in the message what should be split, moved or turned round.`,
  performance: `Look for cost: needless complexity, work repeated in loops, queries in loops, allocation and copying, blocking input and output, missing caches and limits, memory that only grows.
How often code runs and on how much data is seldom visible: where the finding hangs on it, set verification_required to true and say in the message which figure decides.`,
}

/** Names of agent types: they become part of a path. */
export const typeNamePattern = /^[a-z0-9][a-z0-9-]{0,63}$/
