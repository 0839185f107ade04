import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { script, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

const names = ['jq', 'tmux', 'nats-server', 'chromium', ...(process.platform === 'linux' ? ['bwrap'] : [])]
const ready = new URL('programs/ready.mjs', import.meta.url).href

/** A machine with these programs on its PATH, and what a shell and the unpacking need; nothing of the system besides. */
function machine(programs: Readonly<Record<string, string>>) {
  const root = tempFolder('machine')
  const bin = join(root, 'bin')
  mkdirSync(bin)
  for (const name of ['sh', 'cat', 'cp', 'mkdir', 'chmod', 'touch', 'env', 'bash']) {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
    symlinkSync(stdout.trim(), join(bin, name))
  }
  for (const [name, text] of Object.entries(programs)) script(join(bin, name), `#!/bin/sh\n${text}\n`)
  const folder = join(root, "it's programs")
  const program = `import(${JSON.stringify(ready)}).then(({ makeProgramsReady }) => {
    const complaint = makeProgramsReady({ folder: process.argv[1], env: process.env, say: console.log, systemFolders: [] })
    if (complaint) console.error(complaint)
  })`
  const makeReady = () => {
    const args = ['--input-type=module', '-e', program, folder]
    const { stdout, stderr } = spawnSync(process.execPath, args, { env: { PATH: bin }, encoding: 'utf8' })
    return { stdout, stderr }
  }
  const has = (name: string) => spawnSync(join(folder, 'bin', name), ['--version'], { encoding: 'utf8' })
  return { root, folder, makeReady, has }
}

const all = (text: string) => Object.fromEntries(names.map((name) => [name, text]))

/** An apt-get that knows jq with a library, and keeps what it was asked; `$1 $2` are -c and its settings. */
const apt = `
[ "$1" = --version ] && exit 0
settings=$2; shift 2
echo "$1" >> "$0.asked"
case $1 in
  install) case $settings in *own*) ;; *) echo 'E: Unable to locate package' >&2; exit 100 ;; esac
    for name; do :; done
    echo "Inst libjq1 (1.7 Debian:13 [amd64])"; echo "Inst $name [1.6] (1.7 Debian:13 [amd64])" ;;
  download) shift 2; for wanted; do echo "$wanted" > "\${wanted%%=*}.deb"; done ;;
esac`

/** Opens jq.deb and libjq1.deb: a program that wants its library. */
const dpkgDeb = `
mkdir -p usr/bin usr/lib/any
case $2 in
  lib*) touch usr/lib/any/libjq.so.1.0 ;;
  *) printf '#!/bin/sh\\ntest -e "$LD_LIBRARY_PATH/libjq.so.1.0" && echo "$LD_LIBRARY_PATH"\\n' > usr/bin/jq; chmod 755 usr/bin/jq ;;
esac`

describe('the programs of the tests', () => {
  it('are left alone where PATH has them, and linked where it has them under another name', () => {
    const { chromium: _, ...others } = all('exit 0')
    const { folder, makeReady, has } = machine({ ...others, 'google-chrome': 'echo Chrome' })
    expect(makeReady()).toEqual({ stdout: '', stderr: '' })
    expect(readdirSync(join(folder, 'bin'))).toEqual(['chromium'])
    expect(has('chromium').stdout).toBe('Chrome\n')
  })

  it('are named in one line where they are missing, do not start, and cannot be unpacked', () => {
    const { tmux: _, jq: __, ...others } = all('exit 0')
    const { makeReady } = machine({ ...others, jq: 'exit 127' })
    expect(makeReady()).toEqual({
      stdout: 'fetching jq\nfetching tmux\n',
      stderr: 'npm test: cannot find or unpack jq, tmux (there is no apt-get); install them, then run this again\n',
    })
  })

  it('are unpacked with their libraries, with lists of our own where the system has none, once', () => {
    const { jq: _, ...others } = all('exit 0')
    const bare = machine({ ...others, 'apt-get': apt, 'dpkg-deb': dpkgDeb })
    expect(bare.makeReady()).toEqual({ stdout: 'fetching jq\n', stderr: '' })
    expect(bare.has('jq')).toMatchObject({ status: 0, stdout: expect.stringMatching(/jq-\w+\/usr\/lib\/any\n$/) })
    expect(bare.makeReady()).toEqual({ stdout: '', stderr: '' })
    expect(readFileSync(join(bare.root, 'bin', 'apt-get.asked'), 'utf8')).toBe('install\nupdate\ninstall\ndownload\n')
  })
})
