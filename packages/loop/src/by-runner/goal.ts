// What a command line asks to be worked: issues, one issue, or a task.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure, systemCode } from '@switchyard/ground/failure'

type Asked = {
  words: string | undefined
  issues: boolean
  issue: string | undefined
  file: string | undefined
}

/** Which of them is asked for. Failure `usage` when it is none, or several. */
export function modeOf({ words, issues, issue, file }: Asked): 'issues' | 'issue' | 'task' {
  const tasks = [words, file].filter((text) => text !== undefined)
  if (issues && issue === undefined && (tasks.length === 0 || (words === '-' && tasks.length === 1))) return 'issues'
  if (!issues && issue !== undefined && tasks.length === 0) return 'issue'
  if (!issues && issue === undefined && tasks.length === 1) return 'task'
  const isNone = !issues && issue === undefined && tasks.length === 0
  throw new Failure('usage', `expected a task, --issues or --issue ID, got ${isNone ? 'none' : 'several'}`, {
    hint: 'such as "fix the tests" --check \'npm test\'',
  })
}

/** Ids, one a line; of a line only its first word counts, so that `tissue ready` can be piped as it is. */
export function parseIds(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim().split(/\s+/)[0] || [])
}

type TaskSource = { cwd: string; words: string | undefined; file: string | undefined; readStdin: () => string }

/** The prompt of a task: words, a file, or stdin. Failure `usage` when it is empty or cannot be read. */
export function readTask({ cwd, words, file, readStdin }: TaskSource): string {
  const isStdin = words === '-' || file === '-'
  const prompt = isStdin ? readStdin() : file === undefined ? (words ?? '') : readTaskFile(resolve(cwd, file))
  if (prompt.trim() === '') throw new Failure('usage', 'expected a task, got an empty text')
  return prompt
}

function readTaskFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    throw new Failure('usage', `expected the task in ${path}, it cannot be read: ${code}`)
  }
}
