import type { Access, Turn } from '../adapter.ts'

type Orders = {
  readonly access: Access
  readonly model: string | null
  readonly resume?: string | null
  readonly forks?: boolean | undefined
}

/** A turn of an agent as its orders have it, which nothing confines. `settings`: a file that counts beside its user's. */
export function turnOf({ access, model, resume = null, forks = false }: Orders, settings?: string): Turn {
  return { access, model: model ?? undefined, resume: resume ?? undefined, forks, settings, isConfined: false }
}
