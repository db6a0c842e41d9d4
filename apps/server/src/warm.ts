import { setTimeout as pause } from 'node:timers/promises'

/** Whoever waited for the service to listen is served first. */
const AFTER_MS = 1_000
const BETWEEN_MS = 50

const PARTS = [() => import('./mcp/answering.ts'), () => import('./docs/pages.ts')]

/**
 * Loads what is not needed to listen, a part at a time, so that whoever first asks for it need not wait. The protocol's library and what makes
 * the OpenAPI document are too large for that, and are loaded when they are asked for.
 */
export async function warm(): Promise<void> {
  await pause(AFTER_MS, undefined, { ref: false })
  for (const load of PARTS) {
    // What does not load is told where it is needed.
    await load().catch(() => {})
    await pause(BETWEEN_MS, undefined, { ref: false })
  }
}
