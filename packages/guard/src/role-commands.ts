// What a read-only agent may run: commands that only read, the bus, and other agents asked for a second opinion.
import { placeOf } from './scene/places.ts'
import type { Scene } from './scene/scene.ts'
import { type Command, isKnown, nameOf } from './shell/command.ts'
import { readGit } from './shell/git-call.ts'
import { hasSideEffect } from './shell/side-effects.ts'
import { writtenPaths } from './written-paths.ts'

const reading = new Set(
  `[ awk basename cat cd cksum cmp column comm command cut date df diff dirname du echo egrep env expr false fgrep file
  find fd grep head hexdump jq less ls md5sum mkdir nl nproc od printf pwd read readlink realpath rev rg sed seq set
  sha256sum sleep sort stat strings tac tail tee test time timeout tr tree true type uname uniq wc which whoami xargs
  xxd yq export exit return local : jwz`.split(/\s+/),
)

/** What these programs may be asked for; other programs may not run at all. */
const readingWords: ReadonlyMap<string, RegExp> = new Map([
  ['gh', /^(?:search|api|repo view|pr (?:view|list|diff|checks)|(?:issue|release|run) (?:view|list))\b/],
  ['claude', /^(?:-p|--print)\b|\s(?:-p|--print)\b/],
  ['codex', /^(?:exec|e)\b/],
  ['gemini', /(?:^|\s)(?:-p|--prompt)\b/],
  ['opencode', /^run\b/],
  ['scope', /^run\b/],
  // A word behind doctor that does not say how to print is --fix, or may be: a variable, the output of a program.
  ['loop', /^(?:(?:ask|review|status|guard|trace)\b|doctor(?:\s+(?:--jsonl?|--quiet|-q|--help|-h))*$)/],
  ['tissue', /^(?:show|list|ready|search|history|tree|stats|blocked|where|comment)\b/],
])

const readingGit = new Set(
  `log diff show status blame grep rev-parse rev-list ls-files ls-tree ls-remote cat-file describe shortlog merge-base
  name-rev for-each-ref range-diff whatchanged cherry count-objects version help show-ref diff-tree diff-index
  merge-tree check-ignore check-attr var`.split(/\s+/),
)
/** Subcommands of git that only read with these words. */
const readingGitWords: ReadonlyMap<string, RegExp> = new Map([
  ['branch', /^(?:(?:-a|-r|-v|-vv|--all|--remotes|--list|--show-current|--contains \S+|--merged(?: \S+)?)(?:\s+|$))*$/],
  ['tag', /^(?:-l|--list|-n|$)/],
  ['config', /^(?:--get|--list|-l)/],
  ['remote', /^(?:-v|show|get-url|$)/],
  ['worktree', /^list/],
  ['stash', /^(?:list|show)/],
  ['reflog', /^(?:show|$)/],
  ['symbolic-ref', /^(?:-q |--short )*\S+$/],
])

/** Whether a command only reads. What is written to temporary files are its own notes. */
export function onlyReads(command: Command, scene: Scene): boolean {
  const [word, ...args] = command.argv
  if (writtenPaths(command).some((path) => path !== '/dev/null' && placeOf(path, scene) !== 'temporary')) return false
  if (word === undefined) return true
  const name = nameOf(word)
  if (!isKnown(word) || hasSideEffect(command)) return false
  const line = args.join(' ')
  if (name === 'git') return onlyReadsGit(command)
  // What find and xargs run is judged as a command of its own.
  return reading.has(name) || (readingWords.get(name)?.test(line) ?? false)
}

function onlyReadsGit(command: Command): boolean {
  const { subcommand, args, config } = readGit(command)
  if (config.size > 0) return false
  if (args.some((arg) => /^(?:-O|--output|--ext-diff|--open-files-in-pager|--upload-pack|--exec|--textconv)/.test(arg)))
    return false
  return readingGit.has(subcommand) || (readingGitWords.get(subcommand)?.test(args.join(' ')) ?? false)
}
