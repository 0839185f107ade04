// The command line of bubblewrap 0.7 or later.

import type { Mount } from './mount.ts'
import type { Inside } from './mounts.ts'

const sharedMemoryBytes = 64 * 1024 * 1024

/** Namespaces of its own, no privilege, and it ends with whoever started it. */
const apart = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
]

/** Each pair is where a copy comes from and goes to; the command follows `--`. */
const copying = 'while [ "$1" != -- ]; do cp -- "$1" "$2" || exit 8; shift 2; done; shift; exec "$@"'

export function bwrapCommand(
  command: readonly string[],
  { mounts, copied }: Inside,
  { folder, hasNetwork }: { folder: string; hasNetwork: boolean },
): string[] {
  const started =
    copied.length === 0
      ? command
      : ['sh', '-c', copying, 'sh', ...copied.flatMap(({ from, to }) => [from, to]), '--', ...command]
  return [
    ...['bwrap', ...apart, ...(hasNetwork ? [] : ['--unshare-net'])],
    ...mounts.flatMap(optionsOf),
    ...['--proc', '/proc', '--dev', '/dev', '--size', `${sharedMemoryBytes}`, '--tmpfs', '/dev/shm'],
    // What bubblewrap made to hold all this is memory without a limit.
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', folder, '--', ...started],
  ]
}

function optionsOf(mount: Mount): string[] {
  if (mount.is === 'empty') return ['--size', `${mount.bytes}`, '--tmpfs', mount.at]
  if (mount.is === 'link') return ['--symlink', mount.to, mount.at]
  if (mount.is === 'blank') return ['--ro-bind', '/dev/null', mount.at]
  return [mount.writable ? '--bind' : '--ro-bind', mount.of, mount.at]
}
