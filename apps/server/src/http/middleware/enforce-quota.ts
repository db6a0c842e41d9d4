import type { Crm } from '@sales-crm/core'
import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'

/** Middleware that refuses writes to a full workspace, before their body is read. */
export type EnforceQuota = (kind: 'create' | 'update') => MiddlewareHandler<AppEnv>

export function createEnforceQuota({ workspace }: Pick<Crm, 'workspace'>): EnforceQuota {
  return (kind) => async (c, next) => {
    // Without a length, the bytes count once they are stored.
    const bytes = Number(c.req.header('Content-Length') ?? 0)
    await workspace.enforceQuota(c.get('actor'), { kind, bytes })
    await next()
  }
}
