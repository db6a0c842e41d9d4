import { setTimeout as pause } from 'node:timers/promises'

/** Whoever waited for the service to listen is served first. */
const START_DELAY_MS = 1_000
const PAUSE_MS = 50

const MODULES = [() => import('../mcp/tool-call.ts'), () => import('../docs/docs-pages.ts')]

/**
 * Loads what is not needed to listen, a part at a time, so that whoever first asks for it need not wait. The
 * protocol's library and what makes the OpenAPI document are too large for that, and are loaded when they are
 * asked for.
 */
export async function preloadModules(): Promise<void> {
  await pause(START_DELAY_MS, undefined, { ref: false })
  for (const load of MODULES) {
    // What does not load is told where it is needed.
    await load().catch(() => {})
    await pause(PAUSE_MS, undefined, { ref: false })
  }
}
