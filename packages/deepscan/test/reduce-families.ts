import type { Finding } from '../src/finding/finding.ts'
import { aFinding } from './findings.ts'

/** Titles of one defect in other words, and a title that denies it. */
const defects: readonly { said: readonly string[]; denied: string }[] = [
  {
    said: [
      'SQL injection in the login query',
      'The login query is open to SQL injection',
      'Login query allows SQL injections',
      'SQL injection possible in login query',
    ],
    denied: 'The login query is not open to SQL injection',
  },
  {
    said: [
      'File handle is leaked when parsing fails',
      'Parsing that fails leaks the file handle',
      'The file handle leaks if parsing fails',
      'Leaked file handle when the parsing failed',
    ],
    denied: 'File handle is never leaked when parsing fails',
  },
  {
    said: [
      'Missing rate limit on the password reset',
      'The password reset has no rate limit',
      'Password reset without a rate limit',
      'No rate limit on password resets',
    ],
    denied: 'The password reset has a rate limit',
  },
  {
    said: [
      'Race condition between the check and the write of the lock file',
      'The check and the write of the lock file race: race condition',
      'Race condition: check and write of lock file',
      'Lock file: race condition between check and write',
    ],
    denied: 'No race condition between the check and the write of the lock file',
  },
  {
    said: [
      'Unvalidated redirect after sign-in',
      'The redirect after sign-in is not validated',
      'Redirect after sign-in never validated',
      'Sign-in redirect is unvalidated',
    ],
    denied: 'The redirect after sign-in is validated',
  },
  {
    said: [
      'Cache of sessions grows without bounds',
      'Sessions cache grows without bounds',
      'The cache of sessions grows and has no bounds',
      'Unbounded growth of the sessions cache',
    ],
    denied: 'Cache of sessions grows within bounds',
  },
  {
    said: [
      'Timing attack on token comparison',
      'Token comparison is open to a timing attack',
      'Comparison of tokens: timing attacks',
      'Timing attack possible in the comparison of tokens',
    ],
    denied: 'Token comparison is not open to a timing attack',
  },
  {
    said: [
      'Path traversal through the name of an upload',
      'Upload name allows path traversal',
      'Path traversal via upload names',
      'The name of the upload allows a path traversal',
    ],
    denied: 'No path traversal through the name of an upload',
  },
]

/**
 * Findings with the family of each: paraphrases at one place, with lines shifted by one, and in another file belong
 * together; the denial of each at the same place, and other defects there, do not.
 */
export function families(): { findings: Finding[]; familyOf: ReadonlyMap<string, string> } {
  const findings: Finding[] = []
  const familyOf = new Map<string, string>()
  const add = (family: string, finding: Finding) => {
    findings.push(finding)
    familyOf.set(finding.id, family)
  }
  for (const [index, { said, denied }] of defects.entries()) {
    const place = { line: 10, end_line: 12, quote: `first(${index})\nsecond()\nthird()` }
    for (const [number, title] of said.entries()) {
      const at = number === 1 ? { line: 11, end_line: 13 } : number === 2 ? { path: 'other/file.ts' } : {}
      add(`${index}`, aFinding({ title, path: `src/same.ts`, ...place, ...at, chunk: `c${number}` }))
    }
    add(`denied ${index}`, aFinding({ title: denied, path: 'src/same.ts', ...place }))
  }
  return { findings, familyOf }
}

/** Which share of the pairs brought together belong together, and which share of those that belong together are. */
export function pairScores(
  groups: readonly (readonly Finding[])[],
  familyOf: ReadonlyMap<string, string>,
): { precision: number; recall: number } {
  const groupOf = new Map(groups.flatMap((group, index) => group.map(({ id }) => [id, index] as const)))
  const ids = [...groupOf.keys()]
  let [together, right, belonging] = [0, 0, 0]
  for (const [at, one] of ids.entries()) {
    for (const other of ids.slice(at + 1)) {
      const isTogether = groupOf.get(one) === groupOf.get(other)
      const belongs = familyOf.get(one) === familyOf.get(other)
      together += Number(isTogether)
      right += Number(isTogether && belongs)
      belonging += Number(belongs)
    }
  }
  return { precision: right / together, recall: right / belonging }
}
