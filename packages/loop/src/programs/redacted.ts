// What children print, without the secrets that they were given: nothing of it is cut, kept or told before.
import { redactorOf } from '@switchyard/cli-kit/secrets'
import type { Execution } from '@switchyard/exec'

type Env = Readonly<Record<string, string | undefined>>

const gap = /\n\[… \d+ bytes left out …\]\n/

/**
 * Takes the secrets of `env` out of how a command ended. Git and tissue answer with data, and so does scope where it
 * prints JSON: of these only what they say to people is changed.
 */
export function redactionOf(env: Env): (command: readonly string[] | { shell: string }, ended: Execution) => Execution {
  const redact = redactorOf(env)
  return (command, ended) => {
    const { stdout, stderr, output, truncated } = ended
    const told = (text: string) => redact(truncated ? withoutCutWords(text) : text)
    return { ...ended, stderr: told(stderr), output: told(output), stdout: isData(command) ? stdout : told(stdout) }
  }
}

function isData(command: readonly string[] | { shell: string }): boolean {
  if ('shell' in command) return false
  const [program = ''] = command
  return program === 'git' || program === 'tissue' || (program === 'scope' && command.includes('--json'))
}

/** Where a text was cut there may be half of a secret, which nothing tells from other words. */
function withoutCutWords(text: string): string {
  const [before = '', after] = text.split(gap)
  if (after === undefined) return text.replace(/^\S{0,4096}/, '')
  const middle = gap.exec(text)?.[0] ?? '\n'
  return `${before.replace(/\S{0,4096}$/, '')}${middle}${after.replace(/^\S{0,4096}/, '')}`
}
