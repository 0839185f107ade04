// The command line of macOS's sandbox-exec, with a profile of which the last rule that fits counts. Nothing can be put
// in another's place there: what Linux shows empty is refused.
import type { Inside } from './mounts.ts'

type Confined = {
  readonly folder: string
  readonly home: string
  readonly hasNetwork: boolean
  /** An empty folder for temporary files. */
  readonly temporary: string
}

export function seatbeltCommand(command: readonly string[], inside: Inside, place: Confined): string[] {
  return ['sandbox-exec', '-p', seatbeltProfile(inside, place), ...command]
}

function seatbeltProfile({ mounts }: Inside, { home, hasNetwork, temporary }: Confined): string {
  const shown = mounts.flatMap((mount) => (mount.is === 'shown' ? [mount] : []))
  const written = [temporary, ...shown.filter(({ writable }) => writable).map(({ of }) => of)]
  const seen = shown.filter(({ writable }) => !writable).map(({ of }) => of)
  const lines = [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    `(deny file-read* ${subpaths([home, '/Users', '/private/tmp', '/private/var/folders', '/Volumes'])})`,
    // Programs look at each folder on the way to what they may read.
    '(allow file-read-metadata)',
    ...(seen.length === 0 ? [] : [`(allow file-read* ${subpaths(seen)})`, `(deny file-write* ${subpaths(seen)})`]),
    `(allow file-read* file-write* ${subpaths(written)})`,
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/fd/"))',
    '(deny network-outbound (remote unix-socket))',
    `(allow network-outbound ${written.map((path) => `(remote unix-socket (subpath ${quoted(path)}))`).join(' ')})`,
    hasNetwork ? '(allow network-outbound (literal "/private/var/run/mDNSResponder"))' : '(deny network*)',
    '(deny appleevent-send)',
    '(deny signal (target others))',
  ]
  return `${lines.join('\n')}\n`
}

const quoted = (path: string) => `"${path.replace(/[\\"]/g, '\\$&')}"`
const subpaths = (paths: readonly string[]) => paths.map((path) => `(subpath ${quoted(path)})`).join(' ')
