import type { Middleware } from '../http/app-env.ts'

/** The rate limits of endpoints that need no token. */
export interface EndpointLimits {
  /** Counts calls as GETs of their address. */
  readonly byAddress: Middleware
  readonly byEndpoint: Middleware
  readonly byRegistration: Middleware
}
