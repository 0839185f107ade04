import { readFileSync } from 'node:fs'

/** Resolves when a process has been stopped by a signal; rejects when it is gone, or runs on for ten seconds. */
export async function stopped(pid: number | undefined): Promise<void> {
  for (let attempt = 0; attempt < 2000; attempt++) {
    if (/\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`process ${pid} was never stopped`)
}
