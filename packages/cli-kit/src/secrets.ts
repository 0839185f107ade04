// Secrets in a text that is to be kept or shown: those that the environment holds, and those that look like one.

type Env = Readonly<Record<string, string | undefined>>

/** What stands in the place of a secret. */
export const secretMark = '[secret]'

const secretName = /(?:^|_)(?:KEY|TOKEN|SECRET)$|PASSWORD/i
const valueLengthMin = 8
const lineLengthMin = 16

/** The values that count as secrets by the names of their variables, the longest first; of long ones each line too. */
export function secretsOf(env: Env): string[] {
  const values = Object.entries(env).flatMap(([name, value = '']) => (secretName.test(name) ? [value.trim()] : []))
  const lines = values.flatMap((value) => value.split(/\r?\n/).filter((line) => line.trim().length >= lineLengthMin))
  const all = new Set([...values, ...lines].filter((value) => value.length >= valueLengthMin && value !== secretMark))
  return [...all].sort((a, b) => b.length - a.length)
}

const name = '[A-Z][A-Z0-9_]*'
const word = `(?:"[^"\\n]*"|'[^'\\n]*'|[^\\s"'\`;|&)]+)`

/**
 * Keys, tokens and passwords by their form. A first group stays. Every repetition that something has to follow is
 * bounded, so that a megabyte of anything takes as long as a megabyte of text.
 */
const forms: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?:(?!-----)[\s\S]){0,16000}-----END [A-Z ]{0,40}PRIVATE KEY-----|[A-Za-z0-9+/=\s\\]*)/g,
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bxox[a-z]-[A-Za-z0-9-]{10,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]*/g,
  /\b(Bearer\s{1,4})[A-Za-z0-9._~+/-]{16,}=*/g,
  /\b([a-z][a-z0-9+.-]{0,20}:\/\/[^\s/@:]{0,200}:)[^\s/@]{1,500}(?=@)/gi,
  /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[A-Za-z0-9_-]{20,500}(?=@)/gi,
  new RegExp(`(--password(?:=|\\s{1,4}))(?!\\$)${word}`, 'g'),
  /\b((?:mysql|mariadb|sshpass)[a-z-]{0,20}\s(?:[^\n;|&]{0,400}\s)?-p)(?!\$)[^\s"'`;|&)]+/g,
  new RegExp(`\\b((?:(?:${name}_)?(?:KEY|TOKEN|SECRET)|[A-Z0-9_]{0,60}PASSWORD[A-Z0-9_]{0,60})=)(?!\\$)${word}`, 'g'),
]

/** The text with a mark in the place of each secret. Doing it twice changes nothing more. */
export function redact(text: string, secrets: readonly string[]): string {
  let told = text
  for (const secret of secrets) if (told.includes(secret)) told = told.replaceAll(secret, secretMark)
  for (const form of forms)
    told = told.replace(form, (_, kept) => `${typeof kept === 'string' ? kept : ''}${secretMark}`)
  return told
}

/** What takes the secrets of an environment, and all that look like one, out of texts. */
export function redactorOf(env: Env): (text: string) => string {
  const secrets = secretsOf(env)
  return (text) => redact(text, secrets)
}
