type Issues = { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] }

/** The first thing that is wrong with a value, in one line, with the path of its field. */
export function firstIssue({ issues: [issue] }: Issues): string {
  const path = issue?.path.join('.') ?? ''
  return `${path === '' ? '' : `${path}: `}${issue?.message ?? 'expected something else'}`
}
