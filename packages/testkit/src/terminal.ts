import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { tempFolder } from './folder.ts'
import { cleanEnv } from './run.ts'
import { toolPath } from './tool-path.ts'

export type Terminal = {
  /** The visible lines, without spaces at their ends. */
  screen(): string
  /** The visible lines with the escape sequences of their colours. */
  painted(): string
  keys(...keys: readonly string[]): void
  /** Characters as they are, none of them a name of a key. */
  type(text: string): void
  resize(columns: number, rows: number): void
  /** What tmux knows of the pane, by its own format. */
  ask(format: string): string
  /** The process id of the tmux server. */
  readonly server: number
  /** The processes that the terminal began and that are still there, also without it; those whose command fits. */
  processes(command?: RegExp): number[]
  /** Resolves with the screen that matches; rejects with the last one when none does for a long time. */
  see(wanted: RegExp): Promise<string>
}

const lateMs = 500_000

/** A command line in a terminal of its own: a tmux server that ends with the test. */
export function openTerminal(cwd: string, command: string, env: Record<string, string> = {}): Terminal {
  const socket = join(tempFolder('tmux'), 's')
  const environment = cleanEnv({ LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', SHELL: '/bin/sh' })
  const tmux = (...args: readonly string[]) => {
    const result = spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
      cwd,
      env: environment,
      encoding: 'utf8',
    })
    if (result.error) throw result.error
    if (result.status !== 0) throw new Error(`tmux ${args.join(' ')}: ${result.stderr}`)
    return result.stdout
  }
  const given = { JWZ_AGENT: 'ada', TERM: 'tmux-256color', PATH: toolPath(), ...env }
  const settings = Object.entries(given).map(([name, value]) => `${name}='${value}'`)
  // The limit is for what a killed test leaves behind.
  const shell = `timeout --foreground 900 env ${settings.join(' ')} sh -c '${command}; sleep 900'`
  tmux('new-session', '-d', '-x', '140', '-y', '12', `exec ${shell}`)
  const ask = (format: string) => tmux('display-message', '-p', format).trim()
  const [server, session] = ask('#{pid} #{pane_pid}').split(' ').map(Number)
  onTestFinished(() => {
    const below = processesOf(session)
    for (const pid of [server, ...below]) endProcess(pid)
  })
  const screen = () => tmux('capture-pane', '-p')
  return {
    screen,
    painted: () => tmux('capture-pane', '-p', '-e'),
    keys: (...keys) => void tmux('send-keys', ...keys),
    type: (text) => void tmux('send-keys', '-l', text),
    resize: (columns, rows) => void tmux('resize-window', '-x', `${columns}`, '-y', `${rows}`),
    ask,
    server: Number(server),
    processes: (name) => processesOf(session, name),
    see: async (wanted) => {
      for (const begin = Date.now(); ; ) {
        const now = screen()
        if (wanted.test(now)) return now
        if (Date.now() - begin > lateMs) throw new Error(`no ${wanted} on the screen:\n${now}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  }
}

/** The living processes of a session, by the process that leads it or did. */
function processesOf(session: number | undefined, command = /^/): number[] {
  const table = execFileSync('ps', ['-eo', 'pid=,sess=,stat=,args='], { encoding: 'utf8' })
  return table.split('\n').flatMap((line) => {
    const [, pid, sid, stat, args] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return Number(sid) === session && !stat?.startsWith('Z') && command.test(args ?? '') ? [Number(pid)] : []
  })
}

/** At once, by its number; one that has ended is as wanted. */
function endProcess(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
