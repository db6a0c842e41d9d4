import { type Crm, localAccessGate } from '@sales-crm/core'
import type { Ports } from '@sales-crm/core/ports'
import type { Hono } from 'hono'
import { type AppOptions, createApp } from './http/app.ts'
import type { AppEnv } from './http/app-env.ts'
import { FairQueue } from './http/limits/fair-queue.ts'
import { DEFAULT_RATE_LIMITS, type RateLimitSettings, RateLimits } from './http/limits/rate-limits.ts'
import { UnreadResponses } from './http/limits/unread-responses.ts'

const DEFAULT_CONCURRENCY = 4

export interface ServiceOptions
  extends Omit<AppOptions, 'crm' | 'ports' | 'storage' | 'rateLimits' | 'fairQueue' | 'monotonicNow'> {
  readonly crm: Crm
  /** The ports that `crm` was created with. */
  readonly ports: Ports
  readonly limits?: Partial<RateLimitSettings> | undefined
}

/** The HTTP interface of a service, and what a socket server shares with it. */
export interface Service {
  readonly app: Hono<AppEnv>
  readonly rateLimits: RateLimits
  /** Watches the responses of a Node server until they are read. */
  readonly unreadResponses: UnreadResponses
}

/** Composes the HTTP interface, for the program and for applications that embed it. */
export function composeService({ crm, ports, limits, ...options }: ServiceOptions): Service {
  const { storage, now } = ports
  const unreadResponses = new UnreadResponses()
  const rateLimits = new RateLimits({
    gate: storage.gate ?? localAccessGate(storage, now),
    countPersistentRateLimit: crm.countPersistentRateLimit,
    limits: { ...DEFAULT_RATE_LIMITS, ...limits },
    now,
  })
  const fairQueue = new FairQueue({
    concurrency: storage.concurrency ?? DEFAULT_CONCURRENCY,
    unreadBytes: (owner) => unreadResponses.bytesOf(owner),
  })
  const monotonicNow = () => performance.now()
  const app = createApp({ ...options, crm, ports, storage, rateLimits, fairQueue, monotonicNow })
  return { app, rateLimits, unreadResponses }
}
