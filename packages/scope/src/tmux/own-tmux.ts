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

/** The command line that shows the dashboard in it. Its server is this process's own: no other is touched. */
export function ownTmux(cwd: string, hasProjects: boolean): string[] {
  const server = ['tmux', '-L', `scope-main-${process.pid}`, '-f', '/dev/null']
  const scope = [
    process.execPath,
    join(__dirname, '..', 'bin', 'scope.cjs'),
    '--inside-tmux',
    ...(hasProjects ? ['--all-projects'] : []),
  ]
  const begin = settings.flatMap((words) => [...words, ';'])
  return [...server, ...begin, 'new-session', '-s', 'scope-main', '-c', cwd, '--', ...scope]
}
