// Secrets in a text that is to be kept or shown: those that the environment holds, and those that look like one.

type Env = Readonly<Record<string, string | undefined>>

/** What stands in the place of a secret. */
export const secretMark = '[secret]'

const secretName = /(?:^|_)(?:KEY|TOKEN|SECRET)$|PASSWORD/i
const valueLengthMin = 8
const lineLengthMin = 16

/** Whether a variable of this name holds a secret. */
export const isSecretName = (name: string) => secretName.test(name)

/** The values that count as secrets by the names of their variables, the longest first; of long ones each line too. */
export function secretsOf(env: Env): string[] {
  const values = Object.entries(env).flatMap(([name, value = '']) => (isSecretName(name) ? [value.trim()] : []))
  const lines = values.flatMap((value) => value.split(/\r?\n/).filter((line) => line.trim().length >= lineLengthMin))
  const all = new Set([...values, ...lines].filter((value) => value.length >= valueLengthMin && value !== secretMark))
  return [...all].sort((a, b) => b.length - a.length)
}

const name = '[A-Z][A-Z0-9_]*'
/** A value as a shell takes it; not a variable, which is no secret itself. */
const word = `(?!"?\\$)(?:"[^"\\n]*"|'[^'\\n]*'|[^\\s"'\`;|&)]+)`
/** One that no code or prose has there: with a digit in it. */
const token = `(?=[A-Za-z._~+/=-]{0,60}\\d)[A-Za-z0-9._~+/=-]{8,500}`
const secretWord = '(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key)'
/** The beginning of a longer name. */
const called = '(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{0,60}?'
/** What may stand between the words of one command: anything, or options alone. */
const among = '[^\\n;|&]{0,400}'
const options = '(?:-{1,2}[\\w-]{1,40}(?:=\\S{1,200}|\\s{1,4}[^\\s-]\\S{0,200})?\\s{1,4}){0,6}'
const userOption = '(?:-u|--user(?:name)?)(?:=|\\s{0,4})[^\\s-]\\S{0,200}\\s{1,4}'
const port = '[\\d.:]+(?:/\\w+)?(?:\\s|$)'

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
  /\b(authorization["']?\s{0,4}:\s{0,4}["']?(?:(?:Basic|Bearer|Digest|token)\s{1,4})?)(?!Basic\b|Bearer\b|Digest\b|token\b)(?!\$|\[)[A-Za-z0-9._~+/=:-]{6,}/gi,
  /\b(x-[a-z-]{0,40}(?:key|token|secret)\s{0,4}:\s{0,4})(?!\$|\[)[A-Za-z0-9._~+/=-]{6,}/gi,
  /\b([a-z][a-z0-9+.-]{0,20}:\/\/[^\s/@:]{0,200}:)[^\s/@]{1,500}(?=@)/gi,
  /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[A-Za-z0-9_-]{20,500}(?=@)/gi,
  new RegExp(`((?<![\\w-])--(?!no-)(?:[a-z]{1,20}-){0,4}${secretWord}(?:=|\\s{1,4}(?!-|id=)))${word}`, 'g'),
  // What -p means only its surroundings tell: a name beside it, a log-in, or a program that wants none of these.
  new RegExp(`(\\s${userOption}${options}-p\\s{0,4})(?!-|${port})${word}`, 'g'),
  new RegExp(`(\\s-p\\s{0,4})(?!-|${port})${word}(?=\\s{1,4}${options}(?:-u|--user))`, 'g'),
  new RegExp(`(\\blogin\\s{1,4}${options}-p\\s{1,4})(?!-)${word}`, 'g'),
  new RegExp(`\\b((?:mysql|mariadb)[a-z-]{0,20}\\s(?:${among}\\s)?-p)${word}`, 'g'),
  new RegExp(`\\b(sshpass\\s{1,4}-p\\s{0,4})${word}`, 'g'),
  new RegExp(
    `\\b((?:curl|wget|xh|https?)\\s(?:${among}\\s)?(?:-u|--user)(?:=|\\s{0,4})["']?[^\\s:"'$]{1,100}:)${word}`,
    'g',
  ),
  new RegExp(`\\b((?:(?:${name}_)?(?:KEY|TOKEN|SECRET)|[A-Z0-9_]{0,60}PASSWORD[A-Z0-9_]{0,60})=)${word}`, 'g'),
  new RegExp(`(${called}(?:password|passwd)["']?(?:=|:\\s?["']))(?![$<{["'])[^\\s"'\`;|&)]+`, 'gi'),
  new RegExp(`(${called}${secretWord}["']?(?:=["']?|:\\s?["']))${token}`, 'gi'),
]

/** Each form has one of these in it, in small letters. Most texts have none, and no form is compiled for them. */
const traits = (
  '-----begin sk- gho_ ghp_ ghs_ ghu_ ghr_ github_pat_ akia asia xox aiza eyj bearer authorization :// ' +
  'password passwd passphrase secret token key'
).split(' ')

const mayHold = (small: string) => traits.some((trait) => small.includes(trait)) || /\s-(?:p|-?u)/.test(small)

/** The text with a mark in the place of each secret. Doing it twice changes nothing more. */
export function redact(text: string, secrets: readonly string[]): string {
  let told = text
  for (const secret of secrets) if (told.includes(secret)) told = told.replaceAll(secret, secretMark)
  if (!mayHold(told.toLowerCase())) return told
  for (const form of forms)
    told = told.replace(form, (_, kept) => `${typeof kept === 'string' ? kept : ''}${secretMark}`)
  return told
}

/** What takes the secrets of an environment, and all that look like one, out of texts. */
export function redactorOf(env: Env): (text: string) => string {
  const secrets = secretsOf(env)
  return (text) => redact(text, secrets)
}
