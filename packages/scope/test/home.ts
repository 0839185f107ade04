import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run, tempFolder, tempRepo } from '@switchyard/testkit'

/** A home and a repository; `text` and `put` are of a file below the home. */
export function home() {
  const folder = tempFolder('home')
  const repo = tempRepo()
  const env = { HOME: folder, XDG_CONFIG_HOME: undefined }
  const tool = (name: 'scope' | 'loop', args: readonly string[], given = {}) =>
    run(name, args, { cwd: repo, env: { ...env, ...given } })
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return {
    ...{ folder, repo, put },
    scope: (...args: readonly string[]) => tool('scope', args),
    loop: (...args: readonly string[]) => tool('loop', args),
    with: (given: Record<string, string>, ...args: readonly string[]) => tool('scope', args, given),
    text: (path: string) => readFileSync(join(folder, path), 'utf8'),
    has: (path: string) => existsSync(join(folder, path)),
  }
}

/** A home with the transcript of the conversation that the scripted agent is in. */
export function homeWithTranscript(uses: readonly { name: string; input: object }[] = [], text = 'Mended it.'): string {
  const home = tempFolder('home')
  const path = join(home, '.claude/projects/-a/conversation-1.jsonl')
  const line = (type: string, content: unknown) => JSON.stringify({ type, message: { role: type, content } })
  const lines = [
    line('user', 'Mend it'),
    line('assistant', [...uses.map((use) => ({ type: 'tool_use', ...use })), { type: 'text', text }]),
  ]
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${lines.join('\n')}\nno JSON\n`)
  return home
}
