/** Sends at once to a host that is not known to answer: so many hosts that do not must not take all the places there are. */
const MOST_AT_FIRST = 4
/** Hosts that are remembered for having answered the last time. One that is forgotten begins again with few. */
const MOST_WELL = 500

interface Busy {
  readonly sending: number
  /** Whether the last claim took as much for it as it had room for, so that more may wait. */
  readonly mayWait: boolean
}

const IDLE: Busy = { sending: 0, mayWait: false }

/** How many sends each host has, and how many more it may have: few until it has answered, and again once it gives no answer. */
export function hostRoom(mostPerHost: number) {
  const mostAtFirst = Math.min(MOST_AT_FIRST, mostPerHost)
  const busy = new Map<string, Busy>()
  const well = new Set<string>()
  const known = (host: string) => busy.get(host) ?? IDLE

  function roomOf(host: string): number {
    return Math.max(0, (well.has(host) ? mostPerHost : mostAtFirst) - known(host).sending)
  }

  /** The one that answered last stands last. */
  function note(host: string, isWell: boolean): void {
    well.delete(host)
    if (!isWell) return
    well.add(host)
    const [oldest] = well
    if (well.size > MOST_WELL && oldest !== undefined) well.delete(oldest)
  }

  return {
    /** Of a host that is not among `rooms`. */
    mostAtFirst,

    /** Of the hosts that have another room than `mostAtFirst`. */
    rooms: (): ReadonlyMap<string, number> => new Map([...busy.keys(), ...well].map((host) => [host, roomOf(host)])),

    /**
     * Begins a send to each of `claimed`, which is what a claim took of these `rooms`.
     * @returns whether more may wait for room that came while it was claimed
     */
    begin(claimed: readonly string[], rooms: ReadonlyMap<string, number>): boolean {
      const counts = new Map([...busy.keys()].map((host) => [host, 0]))
      for (const host of claimed) counts.set(host, (counts.get(host) ?? 0) + 1)
      let isWaitedFor = false
      for (const [host, taken] of counts) {
        const mayWait = taken >= (rooms.get(host) ?? mostAtFirst)
        busy.set(host, { sending: known(host).sending + taken, mayWait })
        isWaitedFor ||= mayWait && roomOf(host) > 0
      }
      return isWaitedFor
    },

    /** @returns whether more may wait for the room that it leaves */
    end(host: string, isWell: boolean): boolean {
      const { sending, mayWait } = known(host)
      if (sending > 1) busy.set(host, { sending: sending - 1, mayWait })
      else busy.delete(host)
      note(host, isWell)
      return mayWait && roomOf(host) > 0
    },
  }
}
