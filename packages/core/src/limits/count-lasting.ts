import { isConflict, tooMany } from '../errors.ts'
import { later } from '../instants.ts'
import type { Counter, Instant, Ports, RateWindow } from '../ports.ts'

type Needed = Pick<Ports, 'storage' | 'secrets' | 'now' | 'newId'>

/** How often a count is tried that other calls keep overtaking. */
const TRIES = 20

/** Counts a call in a window that lies in the database: it outlives the process, and all processes share it. */
export async function countLasting(ports: Needed, { key, seconds }: Counter): Promise<RateWindow> {
  const { storage, secrets, now, newId } = ports
  const hashed = secrets.hash(key)
  for (let tries = 1; ; tries += 1) {
    try {
      return await storage.transact(async ({ lasting_windows }) => {
        const [found] = await lasting_windows.find([{ field: 'key', is: hashed }])
        const window = found && (await lasting_windows.getForUpdate(found.id))
        // Looked at once the window is held: whoever opened it did so before.
        const at = now()
        const closes = later(at, seconds)
        if (!window) {
          await lasting_windows.insert({ id: newId(), key: hashed, used: 1, expires_at: closes, created_at: at, updated_at: at })
          return told(1, closes, at)
        }
        const open = window.expires_at > at
        const used = open ? window.used + 1 : 1
        // One that closes later was opened by a clock ahead of this one, or before this one was set back: none of its calls is forgotten.
        const expires_at = open && window.expires_at < closes ? window.expires_at : closes
        await lasting_windows.update({ ...window, used, expires_at, updated_at: at })
        return told(used, expires_at, at)
      })
    } catch (error) {
      // Another call opened the window first.
      if (!isConflict(error) || tries === TRIES) throw error
    }
  }
}

/** As `countLasting`, and refuses the call beyond the limit. @throws CrmError `rate_limit_exceeded` */
export async function holdToLasting(ports: Needed, counter: Counter): Promise<void> {
  const window = await countLasting(ports, counter)
  if (window.used > counter.limit) throw tooMany({ limit: counter.limit, ...window })
}

/** Takes back a call that turned out not to count. */
export async function uncountLasting({ storage, secrets }: Needed, { key }: Pick<Counter, 'key'>): Promise<void> {
  await storage.transact(async ({ lasting_windows }) => {
    const [found] = await lasting_windows.find([{ field: 'key', is: secrets.hash(key) }])
    const window = found && (await lasting_windows.getForUpdate(found.id))
    if (window && window.used > 0) await lasting_windows.update({ ...window, used: window.used - 1 })
  })
}

/** Closes a window before its time. */
export async function forgetLasting({ storage, secrets }: Needed, { key }: Pick<Counter, 'key'>): Promise<void> {
  await storage.transact(async ({ lasting_windows }) => {
    for (const { id } of await lasting_windows.find([{ field: 'key', is: secrets.hash(key) }])) await lasting_windows.erase(id)
  })
}

function told(used: number, closes: Instant, at: Instant): RateWindow {
  const left = Date.parse(closes) - Date.parse(at)
  return { used, resets: Math.ceil(Date.parse(closes) / 1000), wait: Math.max(1, Math.ceil(left / 1000)) }
}
