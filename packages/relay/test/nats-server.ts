import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { tempFolder } from '@switchyard/testkit'
import { onTestFinished } from 'vitest'

export type NatsServer = { url: string; port: number; start(): Promise<void>; kill(): Promise<void> }

/** A JetStream server on a port of its own; killed and started again it keeps its port and its streams. */
export async function natsServer(...flags: string[]): Promise<NatsServer> {
  const folder = tempFolder('nats')
  const port = await freePort()
  let child: ChildProcess | undefined
  const server = {
    url: `nats://127.0.0.1:${port}`,
    port,
    async start() {
      const args = ['--jetstream', '--store_dir', folder, '--addr', '127.0.0.1', '--port', String(port), ...flags]
      child = spawn('nats-server', args, { stdio: 'ignore' })
      await listening(port, child)
    },
    async kill() {
      if (!child) return
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
  await server.start()
  return server
}

/** The server of one test, killed when that ends. */
export async function serverOfTest(...flags: string[]): Promise<NatsServer> {
  const server = await natsServer(...flags)
  onTestFinished(server.kill)
  return server
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Resolves when the server answers at its port; rejects when it has ended. */
async function listening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`the server at port ${port} ended`)
}
