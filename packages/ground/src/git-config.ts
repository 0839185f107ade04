// Git's settings files, as far as they say something of one name. Read without git, which costs more than a whole post.

import { readIfThere } from './disk.ts'
import { dirname, resolve } from './machine.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Includes that stand within includes, at most; git's own limit. */
const depthMax = 10

const header = /^\s*\[\s*([-.\w]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/
const entry = /^\s*([A-Za-z][-A-Za-z0-9]*)\s*(?:=\s*(.*))?$/

/**
 * The values of a setting, in git's order, that no repository can set: of the system, of the user, and of the
 * environment. `name` is all lower case, such as `safe.directory`.
 */
export function protectedValues(name: string, env: Env): string[] {
  const home = env['HOME'] ?? ''
  const files = [
    ...(isTrue(env['GIT_CONFIG_NOSYSTEM']) ? [] : [env['GIT_CONFIG_SYSTEM'] ?? '/etc/gitconfig']),
    ...(env['GIT_CONFIG_GLOBAL'] !== undefined
      ? [env['GIT_CONFIG_GLOBAL']]
      : [`${env['XDG_CONFIG_HOME'] || `${home}/.config`}/git/config`, `${home}/.gitconfig`]),
  ]
  return [...files.flatMap((path) => [...valuesIn(path, name, home, 0)]), ...valuesOfEnv(name, env)]
}

/** A path as settings may write it, `~/x`. */
export function expandHome(path: string, home: string): string {
  return path.startsWith('~/') ? home + path.slice(1) : path
}

function* valuesIn(path: string, name: string, home: string, depth: number): Generator<string> {
  const text = path === '' ? undefined : readIfThere(path)
  if (text === undefined || depth > depthMax) return
  for (const [key, value] of entriesOf(text)) {
    if (key === name) yield value
    if (key === 'include.path') yield* valuesIn(resolve(dirname(path), expandHome(value, home)), name, home, depth + 1)
  }
}

function* entriesOf(text: string): Generator<[key: string, value: string]> {
  let section = ''
  for (const line of text.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const [, word, part, rest = line] = header.exec(line) ?? []
    if (word !== undefined) section = part === undefined ? word.toLowerCase() : `${word.toLowerCase()}.${part}`
    const [, key, value] = entry.exec(rest) ?? []
    if (key !== undefined) yield [`${section}.${key.toLowerCase()}`, plain(value ?? '')]
  }
}

/** A value without its quotes, escapes and the comment behind it. */
function plain(text: string): string {
  let value = ''
  let isQuoted = false
  let kept = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '#' || character === ';')) break
    else if (character === '\\') {
      at += 1
      value += ({ n: '\n', t: '\t', b: '\b' } as Record<string, string>)[text[at] ?? ''] ?? text[at] ?? ''
    } else value += character
    if (isQuoted || !/\s/.test(character)) kept = value.length
  }
  return value.slice(0, kept)
}

/** What `git -c` and who calls git leave in the environment. */
function valuesOfEnv(name: string, env: Env): string[] {
  const quoted = /'((?:[^']|'\\'')*)'(?:='((?:[^']|'\\'')*)')?/g
  const given = [...(env['GIT_CONFIG_PARAMETERS'] ?? '').matchAll(quoted)].map(([, whole = '', apart]) => {
    const [key, ...rest] = apart === undefined ? whole.split('=') : [whole, apart]
    return [key ?? '', rest.join('=').replaceAll(`'\\''`, "'")] as const
  })
  const counted = Array.from(
    { length: Math.min(Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0, 1000) },
    (_, index) => [env[`GIT_CONFIG_KEY_${index}`] ?? '', env[`GIT_CONFIG_VALUE_${index}`] ?? ''] as const,
  )
  return [...counted, ...given].flatMap(([key, value]) => (key.toLowerCase() === name ? [value] : []))
}

const isTrue = (text: string | undefined) => text !== undefined && /^(1|true|yes|on)$/i.test(text)
