// Where an agent's own client keeps the transcript of a conversation.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '@switchyard/cli-kit'
import { entriesIn } from '@switchyard/ground/disk'
import type { HostWithTranscript } from '@switchyard/wire/transcript-steps'

type Env = Context['env']

/** The file of a conversation by the client's id for it; undefined where there is none. */
export function findTranscript(host: HostWithTranscript, conversation: string, env: Env): string | undefined {
  // It becomes a part of a path.
  if (!/^[\w-]+$/.test(conversation)) return undefined
  const home = env['HOME'] ?? homedir()
  return host === 'claude'
    ? ofClaude(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), conversation)
    : ofCodex(env['CODEX_HOME'] ?? join(home, '.codex'), conversation)
}

/** A folder a project, and in it a file a conversation. */
const ofClaude = (home: string, conversation: string) =>
  foldersIn(join(home, 'projects'))
    .map((folder) => join(folder, `${conversation}.jsonl`))
    .find((path) => existsSync(path))

/** A folder a year, a month and a day, the latest first; the name of the file begins with its time. */
const ofCodex = (home: string, conversation: string) =>
  foldersIn(join(home, 'sessions'))
    .flatMap(foldersIn)
    .flatMap(foldersIn)
    .flatMap((day) =>
      entriesIn(day)
        .filter(({ name }) => name.endsWith(`-${conversation}.jsonl`))
        .map(({ name }) => join(day, name)),
    )
    .at(-1)

const foldersIn = (path: string) =>
  entriesIn(path)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name))
    .sort()
