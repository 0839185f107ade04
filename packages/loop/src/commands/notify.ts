import { existsSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { readBody } from '@switchyard/cli-kit/body'
import { Failure } from '@switchyard/ground/failure'
import { rootOf } from '@switchyard/ground/repository'
import { identify, locateStore, postMessage, type Store } from '@switchyard/topic'
import type { PostedNotice } from '../notify/notice-schema.ts'
import { parseFields, parseType, renderNotice } from '../notify/read-notice.ts'
import { worksUnderway } from '../review/subject.ts'

/** `loop notify`: says on the bus what an agent found out or made, with all that such a notice must say. */
export const notify = defineVerb({
  summary: 'Tell others what was found out or made: a checked notice that jwz search finds',
  args: [
    { name: 'agent', summary: 'Which agent says it: librarian, reviewer, …' },
    { name: 'type', summary: 'RESEARCH, REVIEW, ANALYSIS, DECISION or DOCS' },
    { name: 'subject', summary: 'What it is about' },
    { name: 'fields', summary: 'What its type must say, as NAME=VALUE', optional: true, rest: true },
  ],
  flags: {
    summary: { type: 'string', value: 'TEXT', summary: 'The result in one line' },
    path: { type: 'string', value: 'FILE', summary: 'The file it is in' },
    file: { type: 'string', short: 'F', value: 'FILE', summary: 'A report to put into the message itself; - is stdin' },
    issue: { type: 'string', value: 'ID', summary: 'The issue it belongs to; else the one that is worked on here' },
  },
  examples: [
    "loop notify documenter DOCS 'Retries' sections=Why,How --path README.md --summary 'How retries work'",
    "loop notify librarian RESEARCH 'Retry headers' confidence=HIGH sources=3 --summary 'Seconds, never dates' -F - < report.md",
  ],
  async run(call) {
    const { args, flags, cwd, env, now, output } = call
    const type = parseType(args.type)
    const fields = parseFields(type, args.fields)
    const agent = oneLine('the agent', args.agent)
    const subject = oneLine('the subject', args.subject)
    const summary = oneLine('--summary', flags.summary)
    const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
    const path = flags.path === undefined ? null : pathOf(store, resolve(cwd, flags.path), cwd)
    const report = readBody({ file: flags.file }, call)
    if (path === null && report === undefined) {
      throw new Failure('usage', 'expected --path FILE or a report with -F, got neither', { hint: '-F - reads stdin' })
    }
    const topic = topicOf(store, env, cwd, flags.issue)
    const notice = { type: 'notice', v: 1, agent, notice: type, subject, path, summary, fields } as const
    const body = renderNotice(notice, report)
    const from = identify({ env, store })
    const { id } = await postMessage(store, { topic, from, body, data: notice, tags: [type.toLowerCase()] }, now())
    output.one({ ...notice, id, topic }, shown)
    return undefined
  },
})

const shown: Shown<PostedNotice> = { text: ({ id, topic }) => `${id}  ${topic}`, id: ({ id }) => id }

function oneLine(what: string, text: string | undefined): string {
  if (text !== undefined && /^[^\r\n]*\S[^\r\n]*$/.test(text)) return text.trim()
  throw new Failure(
    'usage',
    `expected ${what} to be one line, got ${text === undefined ? 'nothing' : JSON.stringify(text)}`,
  )
}

/** As one finds it from the top of the repository, in whichever worktree the file was made. */
function pathOf(store: Store, path: string, cwd: string): string {
  if (!existsSync(path)) throw new Failure('notFound', `expected a file at ${path}, found none`)
  const inside = relative(store.repository?.top ?? cwd, path)
  return inside.startsWith('..') ? path : inside
}

/** The topic of the issue that is meant, or that is worked on in this folder; else the project's. */
function topicOf(
  store: Store,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  wanted?: string,
): string {
  const isHere = (worktree: string | null) => worktree !== null && `${cwd}/`.startsWith(`${worktree}/`)
  const issue = wanted ?? env['LOOP_ISSUE'] ?? worksUnderway(store, env).find(({ worktree }) => isHere(worktree))?.issue
  if (issue !== undefined && issue !== 'task') return `issue:${issue}`
  const { repository } = store
  return `project:${basename(repository === undefined ? cwd : rootOf(repository.commonDir))}`
}
