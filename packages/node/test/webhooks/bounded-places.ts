import { places } from '../../src/webhooks/places.ts'
import { ANSWERED } from './queue.ts'

export const BOUNDS = { most: 512, mostPerWorkspace: 128, mostPerHost: 32 }
export const PLENTY = 1000

export interface To {
  readonly workspace_id?: string
  readonly webhook_id?: string
  readonly host?: string
}

/** Of workspace `w` and webhook `h`, on a host of the webhook's own. */
export function place({ workspace_id = 'w', webhook_id = 'h', host = `${webhook_id}.example` }: To = {}) {
  return { workspace_id, webhook_id, host }
}

export function ofBounds(bounds: Partial<typeof BOUNDS> = {}) {
  const { room, end, ...rest } = places({ ...BOUNDS, ...bounds })
  const underWay: ReturnType<typeof place>[] = []

  function begin(claimed: typeof underWay): boolean {
    underWay.push(...claimed)
    return rest.begin(claimed)
  }

  /** How many of each lane one claim may take, of which nothing has begun yet. */
  function asked(...lanes: readonly (To & { readonly waiting?: number })[]): number[] {
    const { each, share } = room()!
    return lanes.map(({ waiting = PLENTY, ...to }) => share({ ...place(to), waiting: Math.min(each, waiting) }))
  }

  /** Claims all it may, and begins that. */
  function begun(...lanes: readonly To[]): number[] {
    const counts = asked(...lanes)
    begin(lanes.flatMap((to, nth) => Array.from({ length: counts[nth]! }, () => place(to))))
    return counts
  }

  function ended(to: To = {}, outcome = ANSWERED): boolean {
    const name = JSON.stringify(place(to))
    const at = underWay.findIndex((each) => JSON.stringify(each) === name)
    if (at < 0) throw new Error(`Not under way: ${name}`)
    const [first] = underWay.splice(at, 1)
    return end(first!, outcome)
  }

  /** Had these answered before, and leaves nothing under way. */
  function known(outcome: typeof ANSWERED, ...lanes: readonly To[]): void {
    for (const to of lanes) {
      asked(to)
      begin([place(to)])
      ended(to, outcome)
    }
  }

  return { room, begin, end, asked, begun, ended, known }
}
