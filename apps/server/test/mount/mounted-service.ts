import { type Crm, createCrm } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { nodePorts } from '@sales-crm/node'
import { createServer } from '../../src/create-server.ts'
import type { ServerOptions } from '../../src/server-options.ts'

export const ISSUER = 'https://shop.example/crm'
export const OLGA = { workspace: 'acme', email: 'olga@acme.example' }

interface MountOptions {
  readonly issuer?: string
  readonly options?: (crm: Crm) => Partial<ServerOptions>
}

/** Creates a service with the workspace `acme`, to be mounted at `/crm`. */
export async function openMountedService({ issuer = ISSUER, options = () => ({}) }: MountOptions = {}) {
  const ports = { ...nodePorts({ issuer }), storage: memoryStorage() }
  const crm = createCrm(ports)
  await crm.operator.createWorkspace({
    name: 'Acme',
    slug: OLGA.workspace,
    owner_name: 'Olga',
    owner_email: OLGA.email,
  })
  const { client_id } = await crm.operator.createApp({
    name: 'Test app',
    email: OLGA.email,
    redirect_uris: ['https://app.example/cb'],
    scopes: [...crm.operator.scopes],
  })
  const { access_token } = await crm.operator.createToken({
    workspace: OLGA.workspace,
    client_id,
    user_email: OLGA.email,
  })
  const lines: string[] = []
  const note = (fields: object | string, message?: string) =>
    void lines.push(message ?? (typeof fields === 'string' ? fields : JSON.stringify(fields)))
  const log = { info: () => {}, warn: note, error: note }
  const server = createServer({ crm, ports, log, ...options(crm) })
  return { crm, ports, server, token: access_token, lines }
}
