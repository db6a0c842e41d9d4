import type { QueryClient } from '@tanstack/react-query'

const CHANNEL = 'console.changes'
const SIGN_OUT = 'sign-out'

/**
 * Tells the other tabs of the browser that records have changed, so that they read them again, and that the member has
 * signed out, so that they show nothing any more.
 */
export class OtherTabs {
  readonly #channel = new BroadcastChannel(CHANNEL)
  readonly #workspaceId: string

  constructor(workspaceId: string, client: QueryClient, onSignOut: () => void) {
    this.#workspaceId = workspaceId
    this.#channel.addEventListener('message', ({ data }) => {
      if (data === workspaceId) void client.invalidateQueries()
      if (data === SIGN_OUT) onSignOut()
    })
  }

  announceChange(): void {
    this.#channel.postMessage(this.#workspaceId)
  }

  announceSignOut(): void {
    this.#channel.postMessage(SIGN_OUT)
  }
}

let tabs: OtherTabs | undefined

export function setOtherTabs(value: OtherTabs): void {
  tabs = value
}

export function otherTabs(): OtherTabs | undefined {
  return tabs
}
