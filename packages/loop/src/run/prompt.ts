/** What a prompt is made from. `record` is the issue as `tissue show --json` prints it. */
export type PromptParts = {
  issue: { id: string; title: string; body: string }
  record: unknown
  worktree: string
  base: string
  verify: string
  iteration: number
  max: number
  feedback: string | undefined
}

const feedbackBytesMax = 4096

/** The prompt of one iteration. Its last line is the issue as one line of JSON, for runners that are programs. */
export function renderPrompt({ issue, record, worktree, base, verify, iteration, max, feedback }: PromptParts): string {
  const before = feedback === undefined ? [] : ['## What happened last time', '', tail(feedback, feedbackBytesMax), '']
  return [
    `# ${issue.title}`,
    '',
    `Issue ${issue.id}, iteration ${iteration} of ${max}.`,
    '',
    ...(issue.body.trim() === '' ? [] : [issue.body.trim(), '']),
    ...before,
    '## Where and how',
    '',
    `You are in ${worktree}, a git worktree of its own on a branch made for this issue from ${base}. Change files only there.`,
    'Commit or leave your changes uncommitted, as you like; they are committed, rebased, verified and landed for you. Do not push, and do not close the issue.',
    `What decides whether it is done is this command, run there: ${verify}`,
    'Exit with 0 when it is done, with 3 when there is nothing to do, with anything else when you could not do it. Or end your answer with one line:',
    '<loop-done>done</loop-done>, or <loop-done>nothing to do</loop-done>.',
    '',
    'The issue as JSON:',
    `${JSON.stringify(record)}\n`,
  ].join('\n')
}

/** The end of a text in at most `bytesMax` bytes of UTF-8, never half a character. */
export function tail(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  let start = bytes.length - bytesMax
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return `[…]${bytes.subarray(start).toString('utf8')}`
}

/** The beginning of a text in at most `bytesMax` bytes of UTF-8, never half a character. */
export function head(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  let end = bytesMax
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return `${bytes.subarray(0, end).toString('utf8')}[…]`
}
