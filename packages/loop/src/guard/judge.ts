import type { Answer, HostEvent } from '../hook/host-event.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A tool that an agent is about to use, and where. `root` is the top of the repository, where there is one. */
export type Asked = {
  readonly event: Extract<HostEvent, { event: 'pre-tool' }>
  readonly env: Env
  readonly root: string | undefined
}

/** Whether the tool may be used. */
export async function judgeTool(_asked: Asked): Promise<Answer> {
  return { do: 'allow' }
}
