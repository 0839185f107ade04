import { tail } from '../text/cut-text.ts'

/** What a prompt is made from. `record` is an issue as `tissue show --json` prints it; a task has none. */
export type PromptParts = {
  /** What is to be done: an issue's title and body, or the task. */
  wanted: string
  issue: { id: string; record: unknown } | undefined
  /** Folder to work in. */
  folder: string
  /** Branch the worktree of an issue was made from. */
  base: string | undefined
  /** Line of shell that decides. */
  verify: string | undefined
  iteration: number
  max: number
  feedback: string | undefined
  notes: readonly string[]
}

const feedbackBytesMax = 8192
const notesBytesMax = 4096

/** The prompt of one iteration, from a template when there is one. */
export function renderPrompt(parts: PromptParts, template?: string): string {
  return template === undefined ? usualPrompt(parts) : fillTemplate(template, parts)
}

/** Its last line is the issue as one line of JSON, for runners that are programs. */
function usualPrompt(parts: PromptParts): string {
  const { wanted, issue, iteration, max, feedback } = parts
  const [title = '', ...rest] = wanted.trim().split('\n')
  const body = rest.join('\n').trim()
  const which =
    issue === undefined ? `Iteration ${iteration} of ${max}.` : `Issue ${issue.id}, iteration ${iteration} of ${max}.`
  return [
    ...(issue === undefined
      ? [wanted.trim(), '', which, '']
      : [title, '', which, '', ...(body === '' ? [] : [body, ''])]),
    ...(feedback === undefined ? [] : ['## What happened last time', '', tail(feedback, feedbackBytesMax), '']),
    ...(parts.notes.length === 0 ? [] : ['## Notes of earlier iterations', '', notesText(parts), '']),
    '## Where and how',
    '',
    ...place(parts),
    'Exit with 0 when it is done, with 3 when there is nothing to do, with anything else when you could not do it. Or end your answer with one line:',
    '<loop-done>done</loop-done>, <loop-done>nothing to do</loop-done>, or <loop-done>stuck</loop-done>.',
    'What the next iteration should know: jwz post "$LOOP_NOTES" -m TEXT',
    ...(issue === undefined ? [''] : ['', 'The issue as JSON:', `${JSON.stringify(issue.record)}\n`]),
  ].join('\n')
}

function place({ issue, folder, base, verify }: PromptParts): string[] {
  const decides =
    verify === undefined
      ? 'Nobody checks it but you.'
      : `What decides whether it is done is this command, run there: ${verify}`
  if (issue === undefined) return [`You are in ${folder}.`, decides]
  return [
    `You are in ${folder}, a git worktree of its own on a branch made for this issue from ${base}. Change files only there.`,
    'Commit or leave your changes uncommitted, as you like; they are committed, rebased, verified and landed for you. Do not push, and do not close the issue.',
    decides,
  ]
}

/** Replaces {prompt}, {issue}, {iteration}, {max}, {notes}, {last_failure} and {worktree}; all else stays as it is. */
function fillTemplate(template: string, parts: PromptParts): string {
  const values: Readonly<Record<string, string>> = {
    prompt: parts.wanted.trim(),
    issue: parts.issue?.id ?? 'task',
    iteration: String(parts.iteration),
    max: String(parts.max),
    notes: notesText(parts),
    last_failure: tail(parts.feedback ?? '', feedbackBytesMax),
    worktree: parts.folder,
  }
  return template.replace(/\{([a-z_]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  )
}

const notesText = ({ notes }: PromptParts) => tail(notes.map((note) => `- ${note}`).join('\n'), notesBytesMax)
