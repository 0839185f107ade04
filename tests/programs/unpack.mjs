// Unpacks packages of Debian and its kin into a folder, with the libraries that the system lacks. Nobody needs to be
// root for that, and nothing of the system changes: apt-get says what is needed and brings it, dpkg-deb opens it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const limits = { encoding: 'utf8', timeout: 900_000, maxBuffer: 64 * 1024 * 1024 }

/**
 * Settings of apt that keep all it writes in `folder`, and run none of the system's hooks. With `ownLists` also the lists of
 * what there is, for a machine that has none.
 */
function aptSettings(folder, ownLists) {
  const lists = join(folder, 'lists')
  mkdirSync(join(lists, 'partial'), { recursive: true })
  mkdirSync(join(folder, 'cache', 'archives', 'partial'), { recursive: true })
  const hooks = ['Update::Pre-Invoke', 'Update::Post-Invoke', 'Update::Post-Invoke-Success']
  const file = join(folder, ownLists ? 'own-lists.conf' : 'system-lists.conf')
  writeFileSync(
    file,
    `${hooks.map((hook) => `#clear APT::${hook};\n`).join('')}${ownLists ? `Dir::State::lists ${JSON.stringify(lists)};\n` : ''}
Dir::Cache ${JSON.stringify(join(folder, 'cache'))};
Debug::NoLocking "true";
APT::Sandbox::User "";
APT::Install-Recommends "false";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::Retries "3";
Acquire::http::Timeout "60";
`,
  )
  return file
}

/**
 * Returns what unpacks one of some packages below `folder`: the new folder, or a text that says why it cannot. The system's lists
 * are tried first; where they are absent, or so old that what they name is gone, lists of our own are fetched, once.
 */
export function unpacker(folder, env) {
  let isFetched = false
  return (packages) => {
    if (spawnSync('apt-get', ['--version'], { env, stdio: 'ignore' }).status !== 0)
      return { why: 'there is no apt-get' }
    let why
    for (const ownLists of [false, true]) {
      const settings = aptSettings(join(folder, 'apt'), ownLists)
      const apt = (args, cwd = folder) => spawnSync('apt-get', ['-c', settings, ...args], { ...limits, env, cwd })
      if (ownLists && !isFetched) {
        const updated = apt(['update', '-q'])
        if (updated.status !== 0) return { why: lastLine(updated) }
        isFetched = true
      }
      for (const name of packages) {
        const needed = apt(['install', '-s', '--reinstall', name])
        // The loader of programs is the system's, and must not be given a C library of another version.
        const names = [...String(needed.stdout).matchAll(/^Inst (\S+)(?: \[[^\]]*\])? \((\S+)/gm)]
          .filter(([, each]) => each !== 'libc6')
          .map(([, each, version]) => `${each}=${version}`)
        why = lastLine(needed)
        if (needed.status !== 0 || names.length === 0) continue
        const unpacked = mkdtempSync(join(folder, `${name}-`))
        why = openAll(names, unpacked, { apt, env })
        if (why === undefined) return { unpacked }
        rmSync(unpacked, { recursive: true, force: true })
      }
    }
    return { why }
  }
}

/** Why it could not be done; undefined when all is there. */
function openAll(names, unpacked, { apt, env }) {
  const fetched = apt(['download', '-q', ...names], unpacked)
  if (fetched.status !== 0) return lastLine(fetched)
  for (const file of readdirSync(unpacked).filter((name) => name.endsWith('.deb'))) {
    const opened = spawnSync('dpkg-deb', ['-x', file, '.'], { ...limits, env, cwd: unpacked })
    if (opened.status !== 0) return lastLine(opened)
    rmSync(join(unpacked, file))
  }
  return undefined
}

/** What a program said last, in a line. */
function lastLine({ error, stderr, stdout }) {
  if (error) return error.message
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('W: '))
  return lines.at(-1)?.trim() ?? 'it said nothing'
}
