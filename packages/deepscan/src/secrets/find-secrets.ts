import { lintSource } from '@secretlint/core'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { findAssigned } from './assigned.ts'
import { findCutKeys } from './cut-keys.ts'
import type { FoundSecret } from './found-secret.ts'

/** A comment in the text could switch the others off. */
const obeysTheText = '@secretlint/secretlint-rule-filter-comments'

const wanted = rules.flatMap((rule) => {
  const { id } = rule.meta
  return id === obeysTheText ? [] : [{ id, rule, options: { enableIDScanRule: true } }]
})

/** An account's number is no secret. */
const harmless = ['AWSAccountID']
/** Forms that the scanner does not know. Each repetition that something has to follow is bounded. */
const forms: readonly (readonly [rule: string, form: RegExp])[] = [
  [
    'privatekey',
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\sA-Za-z0-9+/=\\:,-]{0,16000}-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g,
  ],
  ['stripe', /\b[sr]k_live_[A-Za-z0-9]{16,}/g],
  ['google', /\bAIza[A-Za-z0-9_-]{35}/g],
  ['jwt', /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{10,}/g],
  ['bearer', /(?<=\bBearer )[A-Za-z0-9._~+/-]{20,}=*/g],
]
/** The password of an address with a user in it. */
const passwordOfAddress = /^([a-z][a-z0-9+.-]*:\/\/[^:/@\s]*:)(.+)@/i

/** The secrets of a text by their form, or by the name that a literal is given; in their order, none over another. */
export async function findSecrets(text: string): Promise<readonly FoundSecret[]> {
  const source = { filePath: 'text', content: text, contentType: 'text', ext: '' } as const
  const { messages } = await lintSource({ source, options: { noPhysicFilePath: true, config: { rules: wanted } } })
  const known = messages
    .filter(({ messageId }) => !harmless.includes(messageId))
    .map(({ ruleId, range: [start, end] }) => narrowed(text, { rule: kindOf(ruleId), start, end }))
  const formed = forms.flatMap(([rule, form]) => {
    return [...text.matchAll(form)].map(({ index, 0: secret }) => ({ rule, start: index, end: index + secret.length }))
  })
  return apart([...known, ...formed, ...findCutKeys(text), ...findAssigned(text)])
}

function kindOf(rule: string): string {
  return rule.replace(/^.*secretlint-rule-/, '')
}

function narrowed(text: string, found: FoundSecret): FoundSecret {
  const [, before, password] = passwordOfAddress.exec(text.slice(found.start, found.end)) ?? []
  if (before === undefined || password === undefined) return found
  const start = found.start + before.length
  return { ...found, start, end: start + password.length }
}

/** What overlaps becomes one. */
function apart(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const sorted = [...found].sort((a, b) => a.start - b.start || b.end - a.end)
  return sorted.reduce<FoundSecret[]>((kept, next) => {
    const last = kept.at(-1)
    if (last === undefined || next.start >= last.end) kept.push(next)
    else if (next.end > last.end) kept[kept.length - 1] = { ...last, end: next.end }
    return kept
  }, [])
}
