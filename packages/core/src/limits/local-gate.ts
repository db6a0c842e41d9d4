import type { Clock, Counter, Gate, RateWindow, Storage } from '../ports.ts'

/** So many callers are told apart at once by windows of one length; past that the one that was opened first is forgotten. */
const MOST = 100_000

interface Open {
  used: number
  readonly closesAt: number
}

/** Windows kept in this process: right as long as it is the only one that serves. */
export function localGate(storage: Pick<Storage, 'read'>, now: Clock): Gate {
  const windows = localWindows(now)
  return {
    async count(counter) {
      return windows(counter)
    },
    async admit({ workspace_id, id }, counter) {
      const granted = await storage.read(async (tx) => {
        const { grants, members } = tx.workspace(workspace_id)
        const grant = await grants.get(id)
        if (!grant || grant.revoked_at !== null) return undefined
        const member = await members.get(grant.user_id)
        if (!member || member.removed_at !== null) return undefined
        return { user_id: grant.user_id, client_id: grant.client_id, role: member.role }
      })
      return granted && { granted, window: counter && windows(counter) }
    },
  }
}

export function localWindows(now: Clock): (counter: Counter) => RateWindow {
  // In the order they were opened, and by their length, so that those at the front close first.
  const ofLength = new Map<number, Map<string, Open>>()

  function windowsOf(seconds: number): Map<string, Open> {
    const windows = ofLength.get(seconds) ?? new Map<string, Open>()
    ofLength.set(seconds, windows)
    return windows
  }

  function sweep(windows: Map<string, Open>, at: number): void {
    for (const [key, { closesAt }] of windows) {
      if (closesAt > at && windows.size <= MOST) return
      windows.delete(key)
    }
  }

  return ({ key, seconds }) => {
    const at = Date.parse(now())
    const windows = windowsOf(seconds)
    let open = windows.get(key)
    // A window from the future was opened before the clock was set back.
    if (!open || open.closesAt <= at || open.closesAt > at + seconds * 1000) {
      open = { used: 0, closesAt: at + seconds * 1000 }
      windows.delete(key)
      windows.set(key, open)
      sweep(windows, at)
    }
    open.used += 1
    return { used: open.used, resets: Math.ceil(open.closesAt / 1000), wait: Math.max(1, Math.ceil((open.closesAt - at) / 1000)) }
  }
}
