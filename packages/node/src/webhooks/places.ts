import type { Attempt, Room, Sending } from '@sales-crm/core'
import { type Bound, bound, eitherOf } from './bound.ts'

/** A webhook of which nothing is known gets few: so many that keep silent must not take all there are. */
const MOST_UNKNOWN = 4
const MOST_SLOW = 2
/** Wherever places are bounded, what slow ones may have together, and with them those of which nothing is known: the rest is left to the quick. */
const PART_OF_SLOW = 1 / 2
const PART_OF_DOUBTFUL = 3 / 4
/**
 * What workspaces may have of all places, or of a host's, that have more than a few there already: whoever was quick may keep silent now,
 * on purpose too.
 */
const PART_OF_CROWD = 7 / 8
const FEW = 4
const FEW_AT_HOST = 2
/** An answer that came within this was quick, whatever it said. */
const QUICK_MS = 1000
/** Webhooks of which it is remembered how they did the last time. One that is forgotten begins again as unknown. */
const MOST_REMEMBERED = 5000

/** Sends at once. */
export interface Bounds {
  readonly most: number
  readonly mostPerWorkspace: number
  /** Of one workspace. All together have twice as many there. */
  readonly mostPerHost: number
}

type Place = Pick<Sending, 'workspace_id' | 'webhook_id' | 'host'>
type Outcome = Pick<Attempt, 'status' | 'duration_ms'>

/** With how the webhook did before it was taken, so that it is left as it was taken. */
interface Taken extends Place {
  readonly wasQuick: boolean | undefined
  readonly webhook: string
  readonly workspaceAtHost: string
}

type KeyOf = (place: Taken) => string

interface Handed {
  readonly place: Taken
  readonly count: number
}

/**
 * Who may have how many sends at once, so that what waits for one does not keep the others waiting. A webhook that was quick the last time
 * is bounded by its host, its workspace and all there are; one that was not, or is not known, by less.
 */
export function places({ most, mostPerWorkspace, mostPerHost }: Bounds) {
  const mostOfHost = mostPerHost * 2
  const wasQuick = new Map<string, boolean>()
  const all = bound<Taken>(ofAll, () => most)
  const bounds = [
    all,
    ...doubtfulOf(ofAll, most),
    ...boundsOf(({ workspace_id }) => workspace_id, mostPerWorkspace),
    ...boundsOf(ofHost, mostOfHost),
    // Many share the host of a hook service: one of them must not take all of it.
    ...boundsOf(ofWorkspaceAtHost, mostPerHost),
    bound<Taken>(({ webhook }) => webhook, mostOfWebhook),
    eitherOf(
      part(ofAll, most, PART_OF_CROWD),
      bound(
        ({ workspace_id }) => workspace_id,
        () => FEW,
      ),
    ),
    eitherOf(
      part(ofHost, mostOfHost, PART_OF_CROWD),
      bound(ofWorkspaceAtHost, () => FEW_AT_HOST),
    ),
  ]
  /** What the claim under way was promised. */
  const handed = new Map<string, Handed>()
  const underWay = new Map<Place, Taken>()

  function placeFor({ workspace_id, webhook_id, host }: Place): Taken {
    // Another workspace's webhook may have the same id.
    const webhook = `${workspace_id} ${webhook_id}`
    return { workspace_id, webhook_id, host, webhook, workspaceAtHost: `${workspace_id} ${host}`, wasQuick: wasQuick.get(webhook) }
  }

  function mostOfWebhook(webhook: string): number {
    const isQuick = wasQuick.get(webhook)
    if (isQuick === undefined) return MOST_UNKNOWN
    return isQuick ? mostPerHost : MOST_SLOW
  }

  /** The one that ended last stands last. */
  function remember(webhook: string, isQuick: boolean): void {
    wasQuick.delete(webhook)
    wasQuick.set(webhook, isQuick)
    const [oldest] = wasQuick.keys()
    if (wasQuick.size > MOST_REMEMBERED && oldest !== undefined) wasQuick.delete(oldest)
  }

  function take(place: Taken, count: number): void {
    for (const each of bounds) each.take(place, count)
  }

  function letGo({ place, count }: Handed): void {
    take(place, -count)
  }

  return {
    /** For one claim at a time, which `begin` ends. Undefined while no place is free at all. */
    room(): Room | undefined {
      if (all.roomFor(NOBODY) === 0) {
        all.wait(NOBODY)
        return undefined
      }
      for (const each of bounds) each.forgetWaiting()
      return {
        // One more than a webhook can have, so that what is left waiting is seen.
        each: mostPerHost + 1,
        share({ waiting, ...lane }) {
          const place = placeFor(lane)
          const { webhook } = place
          // A transaction that is done again asks again.
          const before = handed.get(webhook)
          if (before) letGo(before)
          handed.delete(webhook)
          const count = Math.min(waiting, ...bounds.map((each) => each.roomFor(place)))
          take(place, count)
          if (count > 0) handed.set(webhook, { place, count })
          if (count < waiting) for (const each of bounds) each.wait(place)
          return count
        },
      }
    },

    /**
     * Ends a claim, and begins a send of each that it took.
     * @returns whether more may wait for places that it was promised and did not take, or that came meanwhile. Where it took nothing others
     * were faster, or hold what is due: asking again at once would be asking without end.
     */
    begin(claimed: readonly Place[]): boolean {
      for (const each of handed.values()) letGo(each)
      handed.clear()
      for (const place of claimed) {
        const taken = placeFor(place)
        underWay.set(place, taken)
        take(taken, 1)
      }
      return claimed.length > 0 && bounds.some((each) => each.mayGoOn())
    },

    /** @returns whether more may wait for the places that it leaves */
    end(place: Place, { status, duration_ms }: Outcome): boolean {
      const taken = underWay.get(place)!
      remember(taken.webhook, status !== null && duration_ms <= QUICK_MS)
      underWay.delete(place)
      take(taken, -1)
      return bounds.some((each) => each.isWaitedFor(taken))
    },
  }
}

const NOBODY: Taken = { workspace_id: '', webhook_id: '', host: '', webhook: '', workspaceAtHost: '', wasQuick: true }

function ofAll(): string {
  return ''
}

function ofHost({ host }: Taken): string {
  return host
}

function ofWorkspaceAtHost({ workspaceAtHost }: Taken): string {
  return workspaceAtHost
}

function boundsOf(keyOf: KeyOf, most: number): Bound<Taken>[] {
  return [bound(keyOf, () => most), ...doubtfulOf(keyOf, most)]
}

/** The slow ones, and they with those of which nothing is known. */
function doubtfulOf(keyOf: KeyOf, most: number): Bound<Taken>[] {
  return [
    part((place) => (place.wasQuick === false ? keyOf(place) : undefined), most, PART_OF_SLOW),
    part((place) => (place.wasQuick ? undefined : keyOf(place)), most, PART_OF_DOUBTFUL),
  ]
}

function part(keyOf: (place: Taken) => string | undefined, most: number, portion: number): Bound<Taken> {
  const ofMost = Math.ceil(most * portion)
  return bound(keyOf, () => ofMost)
}
