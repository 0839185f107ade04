import { describe, expect, it } from 'vitest'
import { bwrapCommand } from '../src/bwrap.ts'
import type { Confinement } from '../src/confinement.ts'
import type { Disk } from '../src/disk.ts'
import { insideOf } from '../src/mounts.ts'
import { seatbeltCommand } from '../src/seatbelt.ts'

/** A machine by its paths; `a -> b` is a link. */
function machine(lines: readonly string[]): Disk {
  const links = new Map(
    lines.flatMap((line) => (line.includes(' -> ') ? [line.split(' -> ') as [string, string]] : [])),
  )
  const paths = new Set(lines.map((line) => line.split(' -> ')[0] ?? ''))
  return {
    isThere: (path) => paths.has(path),
    isProgram: (path) => paths.has(path),
    realPath: (path) => links.get(path) ?? (paths.has(path) ? path : undefined),
    linkAt: (path) => links.get(path),
    namesIn: (folder) =>
      [...paths].filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1)),
  }
}

const disk = machine([
  ...['/usr', '/bin -> usr/bin', '/etc', '/etc/shadow', '/etc/ssh/ssh_host_rsa_key', '/home/u/work/.wt/x'],
  ...['/etc/resolv.conf -> /run/systemd/resolve/stub-resolv.conf', '/home/u/work', '/home/u/work/.jwz'],
  ...['/home/u/.gitconfig', '/home/u/.ssh', '/home/u/.local/bin', '/home/u/work/node_modules', '/usr/bin'],
  ...['/home/u/work/node_modules/.bin/jwz -> /home/u/jwz/bin/jwz.cjs', '/home/u/jwz', '/home/u/.codex'],
  ...['/home/u/.codex/auth.json', '/home/u/.codex/config.toml', '/home/u/.codex/log'],
])

const confinement: Confinement = {
  ...{ folder: '/home/u/work/.wt/x', home: '/home/u', writable: ['/home/u/work/.jwz'], readable: ['/home/u/work'] },
  ...{ agents: ['codex'], hasNetwork: false, temporaryBytes: 1000, git: undefined },
  env: { PATH: '/home/u/work/node_modules/.bin:/usr/bin:/home/u:.' },
}

describe('a confinement', () => {
  it('shows what is named, what is around first, and nothing else of home', () => {
    const { mounts } = insideOf(confinement, disk)
    const lines = mounts.map((mount) =>
      mount.is === 'shown' ? `${mount.writable ? 'write' : 'read'} ${mount.at}` : `${mount.is} ${mount.at}`,
    )
    expect(lines).toEqual([
      ...['link /bin', 'read /etc', 'empty /run', 'empty /tmp', 'read /usr', 'blank /etc/shadow', 'empty /home/u'],
      ...['link /var/run', 'link /var/tmp', 'blank /etc/ssh/ssh_host_rsa_key', 'empty /home/u/.codex'],
      ...['read /home/u/.gitconfig', 'read /home/u/jwz', 'read /home/u/work', 'write /home/u/.codex/auth.json'],
      ...['read /home/u/.codex/config.toml', 'read /home/u/.local/bin', 'write /home/u/work/.jwz'],
      ...['read /run/systemd/resolve/stub-resolv.conf', 'write /home/u/work/.wt/x'],
    ])
  })

  it('is a command line of bubblewrap', () => {
    const argv = bwrapCommand(['git', 'log'], insideOf(confinement, disk), confinement)
    expect(argv.slice(0, 11).join(' ')).toBe(
      'bwrap --unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --die-with-parent --new-session --cap-drop ALL --unshare-net',
    )
    expect(argv.slice(11, -17).join(' ')).toBe(
      [
        '--symlink usr/bin /bin --ro-bind /etc /etc --size 1048576 --tmpfs /run --size 1000 --tmpfs /tmp',
        '--ro-bind /usr /usr --ro-bind /dev/null /etc/shadow --size 268435456 --tmpfs /home/u --symlink /run /var/run',
        '--symlink /tmp /var/tmp --ro-bind /dev/null /etc/ssh/ssh_host_rsa_key --size 268435456 --tmpfs /home/u/.codex',
        '--ro-bind /home/u/.gitconfig /home/u/.gitconfig --ro-bind /home/u/jwz /home/u/jwz',
        '--ro-bind /home/u/work /home/u/work --bind /home/u/.codex/auth.json /home/u/.codex/auth.json',
        '--ro-bind /home/u/.codex/config.toml /home/u/.codex/config.toml --ro-bind /home/u/.local/bin /home/u/.local/bin',
        '--bind /home/u/work/.jwz /home/u/work/.jwz --ro-bind /run/systemd/resolve/stub-resolv.conf',
        '/run/systemd/resolve/stub-resolv.conf --bind /home/u/work/.wt/x /home/u/work/.wt/x',
      ].join(' '),
    )
    expect(argv.slice(-17).join(' ')).toBe(
      '--proc /proc --dev /dev --size 67108864 --tmpfs /dev/shm --remount-ro /dev --remount-ro / --chdir /home/u/work/.wt/x -- git log',
    )
    expect(bwrapCommand(['true'], insideOf(confinement, disk), { ...confinement, hasNetwork: true })).not.toContain(
      '--unshare-net',
    )
  })

  it('is a profile of sandbox-exec', () => {
    const place = { ...confinement, temporary: '/private/tmp/t' }
    const [program, flag, profile = '', ...command] = seatbeltCommand(
      ['git', 'log'],
      insideOf(confinement, disk),
      place,
    )
    expect([program, flag, ...command]).toEqual(['sandbox-exec', '-p', 'git', 'log'])
    const written = ['/private/tmp/t', '/home/u/.codex/auth.json', '/home/u/work/.jwz', '/home/u/work/.wt/x']
    const lines = profile.split('\n')
    expect(lines.slice(0, 4)).toEqual([
      ...['(version 1)', '(allow default)', '(deny file-write*)'],
      '(deny file-read* (subpath "/home/u") (subpath "/Users") (subpath "/private/tmp") (subpath "/private/var/folders") (subpath "/Volumes"))',
    ])
    expect(lines).toContain(`(allow file-read* file-write* ${written.map((path) => `(subpath "${path}")`).join(' ')})`)
    expect(lines).toContain('(deny network-outbound (remote unix-socket))')
    expect(lines).toContain('(deny network*)')
    expect(profile).not.toContain('.ssh')
    const quoting = seatbeltCommand(['x'], { mounts: [], copied: [] }, { ...place, home: '/a"b\\c' })
    expect(quoting[2]).toContain('(subpath "/a\\"b\\\\c")')
  })
})
