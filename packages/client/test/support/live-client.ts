import { memoryStorage } from '@sales-crm/core/memory'
import { onTestFinished } from 'vitest'
import { serveOnSocket } from '../../../../apps/server/test/support/raw-http.ts'
import { openService, openWorkspace } from '../../../../apps/server/test/support/test-service.ts'
import { buildClient, type CrmClient } from '../../src/build-client.ts'
import { type ClientOptions, parseClientOptions } from '../../src/client-options.ts'
import type { Runtime } from '../../src/runtime.ts'

type Limits = NonNullable<Parameters<typeof openService>[1]>['limits']

/** Serves the service over the memory store on a socket, with a workspace. */
export async function openLiveService(limits: Limits = {}) {
  const storage = memoryStorage()
  onTestFinished(() => storage.close())
  const service = await openService(storage, { limits })
  const acme = await openWorkspace(service)
  const server = await serveOnSocket(service)
  return { ...service, service, acme, port: server.port, url: `http://127.0.0.1:${server.port}` }
}

export type LiveService = Awaited<ReturnType<typeof openLiveService>>

/** Opens a service and a client of its workspace. */
export async function openLiveClient(options: Partial<ClientOptions> = {}) {
  const live = await openLiveService()
  return { ...live, ...openClient({ url: live.url, token: live.acme.token, ...options }, live) }
}

/**
 * Creates a client whose waiting takes no time and is recorded. Its jitter is 0, and its waiting moves the
 * clock of the service.
 */
export function openClient(
  options: ClientOptions,
  live?: Pick<LiveService, 'advanceClock'>,
  more: Partial<Runtime> = {},
): { readonly crm: CrmClient; readonly waits: readonly number[]; advanceClock(milliseconds: number): void } {
  const waits: number[] = []
  let nowMs = Date.parse('2026-03-01T12:00:00.000Z')
  function advanceClock(milliseconds: number): void {
    nowMs += milliseconds
    live?.advanceClock(milliseconds)
  }
  const runtime: Runtime = {
    now: () => nowMs,
    random: () => 0,
    async sleep(milliseconds) {
      waits.push(milliseconds)
      advanceClock(milliseconds)
    },
    ...more,
  }
  return { crm: buildClient(parseClientOptions(options), runtime), waits, advanceClock }
}
