import { readFileSync } from 'node:fs'

/** Resolves when a process has been stopped by a signal, however long that takes; rejects when it is gone. */
export async function stopped(pid: number | undefined): Promise<void> {
  while (!/\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')))
    await new Promise((resolve) => setTimeout(resolve, 5))
}
