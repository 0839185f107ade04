import { unjudgedReason } from './unjudged.ts'
import type { Decision } from './verdict.ts'

// Every rule of the guard: its id, what it decides unless loop.json says otherwise, and what to do instead. The ids are
// a contract: loop.json names them.

export type Rule = {
  readonly decision: Decision
  /** What it is about, for the table. */
  readonly what: string
  /** Why it was stopped and what to do instead, for the agent. */
  readonly reason: string
}

const deny = (what: string, reason: string): Rule => ({ decision: 'deny', what, reason })
const ask = (what: string, reason: string): Rule => ({ decision: 'ask', what, reason })
const warn = (what: string, reason: string): Rule => ({ decision: 'warn', what, reason })

export const ruleTable = {
  'git.force-push': deny(
    'a push that rewrites a protected branch, or everything (--mirror)',
    'this push can rewrite a protected branch; push to a branch of your own and let it be merged',
  ),
  'git.force-push-branch': ask(
    'a push by --force or + to another branch',
    'a plain --force overwrites what others pushed; use --force-with-lease',
  ),
  'git.push-delete': deny(
    'a push that deletes a protected branch',
    'this push deletes a protected branch; leave it, or ask the person to do it',
  ),
  'git.push-delete-branch': ask(
    'a push that deletes another branch or a tag: --delete, :name',
    'what others pushed there would be gone; ask the person, or leave it',
  ),
  'git.push-protected': deny(
    'any push to a branch that loop.json protects; from within an issue, also to the base',
    'this branch is not pushed to by agents; push a branch of your own',
  ),
  'git.hard-reset': deny(
    'reset --hard',
    'uncommitted work would be lost; commit first, or use `git stash push -u` or `git reset --keep`',
  ),
  'git.discard': deny(
    'changes of the whole tree thrown away: checkout -f or ., restore ., switch --discard-changes, rm -rf .',
    'uncommitted work would be lost; name the files that are meant, or `git stash push -u` first',
  ),
  'git.discard-folder': ask(
    'changes of a folder, of files by a pattern or of unknown ones thrown away: checkout -- src, restore, rm -rf',
    'uncommitted work in it would be lost; name the files that are meant, or `git stash push -u` first',
  ),
  'git.discard-file': warn(
    'changes of named files thrown away: checkout -- FILE, restore FILE, rm -f, clean -f with paths',
    'what was not committed of these is lost; `git diff` and `git stash push` look and keep',
  ),
  'git.clean': deny(
    'clean -f of everything',
    'untracked files would be lost for good; look with `git clean -n`, then remove the named files, or `git stash push -u`',
  ),
  'git.stash-drop': ask('stash drop, stash clear', 'stashed work would be lost; leave it, or `git stash branch NAME`'),
  'git.branch-delete': ask(
    'branch -D of any branch, or of a protected one in any way',
    'commits that are nowhere else would be lost; `git branch -d` refuses in that case',
  ),
  'git.branch-protected': deny(
    'a protected branch deleted or set elsewhere by hand: branch -D, -f or -M, update-ref, fetch into it',
    'a protected branch only moves by commits and merges; make a branch of your own',
  ),
  'git.worktree-remove': ask(
    'worktree remove --force',
    'uncommitted work in that worktree would be lost; without --force git refuses in that case',
  ),
  'git.ref-delete': ask('update-ref -d', 'commits that are nowhere else would be lost; `git branch -d` looks first'),
  'git.reflog': deny(
    'reflog expire or delete, gc --prune of what is younger than a day, prune',
    'the reflog is what lost work is found by; leave it to git',
  ),
  'git.rewrite': ask(
    'filter-branch, filter-repo',
    'this rewrites all history; work on a fresh clone, or ask the person',
  ),
  'git.dynamic': ask(
    'a forced push whose target cannot be read from the command',
    'what is pushed cannot be read from the command; write the branch out',
  ),
  'git.hooks-off': deny(
    "within an issue: the repository's hooks switched off (--no-verify, core.hooksPath)",
    'the hooks of this repository stay on; mend what they complain about',
  ),
  'git.no-verify': {
    decision: 'allow',
    what: "outside of an issue: the repository's hooks switched off (--no-verify, core.hooksPath); let go unless set",
    reason: 'the hooks of this repository stay on; mend what they complain about',
  },
  'git.main-tree': deny(
    'within an issue: git that changes another tree than its own worktree, or moves the base',
    'work only in the worktree of the issue; what is verified there is landed for you',
  ),
  'rm.root': deny(
    'the root, a system folder or the home folder removed',
    'this removes a system folder or the home folder; name what is meant inside the project',
  ),
  'rm.repository': deny(
    'the repository itself, or a folder around it, removed',
    'this removes the repository or its whole content; name the folders that are meant',
  ),
  'rm.git': deny(
    '.git, or what is in it, removed',
    'this removes history; a stale lock file may be removed by its name',
  ),
  'rm.worktree': deny(
    'another worktree removed',
    'somebody may be at work there; `git worktree remove PATH` refuses when work would be lost',
  ),
  'rm.store': ask(
    'a store removed or written by hand: .jwz, .tissue, .scope, .deepscan',
    'this is where the tools keep what they know; use their own verbs (such as `jwz compact`, `tissue clean`)',
  ),
  'rm.settings': ask(
    "the settings of hooks removed or written: loop.json and the agents' own",
    'these settings are what keeps agents safe; the person changes them',
  ),
  'git.settings': ask(
    "what git goes by written by hand: .git/hooks, .git/config, another's pointers",
    'this makes git run something, or look elsewhere; use `git config`, or ask the person',
  ),
  'rm.outside': ask(
    'a folder or file outside the project removed, but for temporary files and caches',
    'this is outside the project; name something inside it, or ask the person',
  ),
  'rm.files': ask(
    'all files of the top folder removed by a bare wildcard: rm *',
    'this removes every file of the project that is meant by the wildcard; name those that are meant',
  ),
  'rm.dynamic': ask(
    'a recursive removal whose target cannot be read from the command',
    'what is removed cannot be read from the command; write the path out',
  ),
  'rm.dev-null': deny('something moved to /dev/null', 'this destroys it; remove it by its name with rm'),
  'device.write': deny(
    'a disk or partition written, formatted or wiped: dd, mkfs, shred, wipefs, > /dev/…',
    'this destroys what is on a device; write to a file',
  ),
  'permissions.root': deny(
    'chmod, chown or chgrp -R on a system folder or the home folder',
    'this breaks the system or the home folder; name the files that are meant',
  ),
  'db.drop': deny(
    'a database or schema dropped: DROP DATABASE, dropdb, FLUSHALL, dropDatabase()',
    'all of its data would be lost; ask the person',
  ),
  'db.drop-table': ask('DROP TABLE through a database client', 'its data would be lost; ask the person'),
  'db.delete-all': ask(
    'TRUNCATE, or DELETE or UPDATE without WHERE, through a database client',
    'this changes every row; say which with WHERE',
  ),
  'db.reset': ask(
    'a framework resets its database: db:drop, migrate reset, migrate:fresh, flush',
    'the data would be lost; ask the person, or name a test database',
  ),
  'infra.destroy': deny(
    'terraform, tofu, pulumi or cdk destroy',
    'running systems would be destroyed; show the plan and ask the person',
  ),
  'infra.kubernetes': deny(
    'kubectl delete of a namespace, a volume or everything; helm uninstall',
    'running systems would be destroyed; ask the person',
  ),
  'infra.cloud': deny(
    'cloud storage, databases or projects removed by aws, gcloud or az',
    'this data cannot be had back; ask the person',
  ),
  'infra.docker': ask(
    'docker or podman system prune, volume prune or rm, compose down -v',
    "other projects' images and volumes would be lost; remove the named ones",
  ),
  'publish.delete': deny(
    'gh repo delete, gh release delete, npm unpublish, cargo yank',
    'others rely on what is published; ask the person',
  ),
  'process.kill-all': deny(
    'kill -9 -1; within an issue also pkill and killall',
    'this ends processes of others; kill those you started, by their ids',
  ),
  'system.power': ask('shutdown, reboot, halt, poweroff', 'the machine is not yours alone; ask the person'),
  'system.fork-bomb': deny('a function that calls itself twice in the background', 'this takes the machine down'),
  'shell.opaque': ask(
    'decoded text run as a program, or a command that cannot be read and has a dangerous word',
    'what runs cannot be read from the command; write it out plainly',
  ),
  'shell.dynamic': ask(
    'a command whose name cannot be read, with what looks like dangerous arguments',
    'which command runs cannot be read; write it out plainly',
  ),
  'shell.remote-script': warn(
    'a download piped into an interpreter',
    'what was downloaded runs unread; save it, look at it, run it',
  ),
  'guard.unjudged': ask(
    'a call that the guard cannot judge: it cannot be read, is too large, takes too long, or the guard fails; no setting changes this',
    unjudgedReason,
  ),
  'machine.key': deny(
    "loop's own folder of this machine, with the key it signs by, read or written",
    'this is where loop keeps what no agent may know; leave it alone',
  ),
  'loop.trust': deny(
    "loop trust: what a project's settings may do is the person's to say",
    'this is for the person to type; say what loop.json would do, and ask',
  ),
  'loop.disarm': ask(
    'what keeps an agent taken away: loop uninstall, land --no-verify, worktree remove --force, LOOP_DISABLE; denied within an issue and to a worker, also close of its own issue and its LOOP_ variables',
    'this takes away what holds the work to its rules; the person does it',
  ),
  'loop.verdict': ask(
    'loop review post by another than a reviewer; denied within an issue and to a worker',
    'nobody approves their own work; let a reviewer look at it',
  ),
  'loop.cancel': ask(
    'loop cancel; denied to a worker',
    'this ends a run; the person says so, or types it in a terminal',
  ),
  'issue.outside': deny(
    'within an issue: a write outside of its worktree and the temporary folders',
    'write only in the worktree of the issue',
  ),
  'issue.store': deny(
    'within an issue: a write to .git, .jwz, .tissue, .scope or .deepscan',
    'stores are changed only by their own tools (jwz, tissue, git)',
  ),
  'issue.settings': deny(
    "within an issue: a write to the hooks' settings or loop.json",
    'the settings of hooks are not changed from within an issue',
  ),
  'role.read-only': deny(
    'a read-only agent (explorer, librarian, oracle, reviewer) writes, or runs what may write',
    'this agent only reads; report what should be changed instead',
  ),
} as const satisfies Readonly<Record<string, Rule>>

export type RuleId = keyof typeof ruleTable

/** Whether a text is the id of a built-in rule. */
export const isRule = (text: string): text is RuleId => Object.hasOwn(ruleTable, text)
