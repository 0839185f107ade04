// A tmux for the dashboard alone, for a person who need not know tmux: no status line, no prefix of its own, so that
// Ctrl-B d leaves the session beside it. It ends with its one window.
import { join } from 'node:path'
import process from 'node:process'

const settings = [
  ['set-option', '-g', 'status', 'off'],
  ['set-option', '-g', 'prefix', 'None'],
  ['set-option', '-g', 'mouse', 'on'],
  ['set-option', '-g', 'destroy-unattached', 'on'],
  ['set-option', '-s', 'escape-time', '10'],
  ['bind-key', '-n', 'M-Left', 'select-pane', '-L'],
  ['bind-key', '-n', 'M-Right', 'select-pane', '-R'],
]

/** Keeps what the dashboard says at its end, which would go with its window: its stderr, and its exit code. */
const keeping = '"$@" 2>"$0/stderr"; echo $? >"$0/exit-code"'

/**
 * The command line that shows the dashboard in it. Its server is this process's own: no other is touched. How the
 * dashboard ends is kept in the folder `end`.
 */
export function ownTmux(cwd: string, { end, hasProjects }: { end: string; hasProjects: boolean }): string[] {
  const server = ['tmux', '-L', `scope-main-${process.pid}`, '-f', '/dev/null']
  const scope = [
    process.execPath,
    join(__dirname, '..', 'bin', 'scope.cjs'),
    '--inside-tmux',
    ...(hasProjects ? ['--all-projects'] : []),
  ]
  const begin = settings.flatMap((words) => [...words, ';'])
  return [...server, ...begin, 'new-session', '-s', 'scope-main', '-c', cwd, '--', 'sh', '-c', keeping, end, ...scope]
}
