import { setTimeout as pause } from 'node:timers/promises'

/** Requests that waited for the server to listen are answered first. */
const START_DELAY_MS = 1_000
const PAUSE_MS = 50

const MODULES = [() => import('../mcp/tool-call.ts'), () => import('../docs/docs-pages.ts')]

/**
 * Imports, one at a time, modules that are not needed to listen, so that the first request for them is fast.
 * The MCP library and the OpenAPI generator are too large for this and load on first use.
 */
export async function preloadModules(): Promise<void> {
  await pause(START_DELAY_MS, undefined, { ref: false })
  for (const load of MODULES) {
    // A failed import is reported by the request that needs it.
    await load().catch(() => {})
    await pause(PAUSE_MS, undefined, { ref: false })
  }
}
