// The machine as verbs that run hot may reach it: all that their bundles use of Node's modules, so that another engine
// has this one file to offer. The build refuses a hot file that imports a module of Node anywhere else. Who needs one
// more function adds it to the line whose reason it shares, or gives it a line.

// Looking, without following what a repository may have put there.
// Reading parts of files, and small ones whole.
// Appending to a log, and replacing a file whole; both onto the disk before anything is acknowledged.
// Locks: a folder and a note that are made, taken over and given back; folders of stores; marks by a file's time.
// Waiting until somebody has posted.
export {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  watch,
  writeFileSync,
  writeSync,
} from 'node:fs'
// Places are texts.
export { basename, dirname, extname, isAbsolute, join, relative, resolve } from 'node:path'
// This process and others by their numbers, its user, time that only grows, and what is loaded only when it is needed.
export { getBuiltinModule, getuid, hrtime, kill, pid, ppid } from 'node:process'
