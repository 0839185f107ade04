import type { Access, Turn } from '../adapter.ts'
import type { Budget } from '../budget.ts'

type Orders = {
  readonly access: Access
  readonly model: string | null
  readonly resume?: string | null
  readonly forks?: boolean | undefined
  readonly budget?: Budget | undefined
}

/** A turn of an agent as its orders have it, which nothing confines. */
export function turnOf({ access, model, resume = null, forks = false, budget }: Orders): Turn {
  const asked = { access, model: model ?? undefined, resume: resume ?? undefined, forks, budget }
  return { ...asked, settings: undefined, isConfined: false }
}
