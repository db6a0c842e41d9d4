import type { QueryClient } from '@tanstack/react-query'

const CHANNEL = 'console.changes'

/** Tells the other tabs of the browser that records have changed, so that they read them again. */
export class OtherTabs {
  readonly #channel = new BroadcastChannel(CHANNEL)
  readonly #workspaceId: string

  constructor(workspaceId: string, client: QueryClient) {
    this.#workspaceId = workspaceId
    this.#channel.addEventListener('message', ({ data }) => {
      if (data === workspaceId) void client.invalidateQueries()
    })
  }

  announceChange(): void {
    this.#channel.postMessage(this.#workspaceId)
  }
}
