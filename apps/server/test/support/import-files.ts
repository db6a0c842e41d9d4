import { expect } from 'vitest'
import type { openService, openWorkspace } from './test-service.ts'

type Service = Awaited<ReturnType<typeof openService>>
type Workspace = Awaited<ReturnType<typeof openWorkspace>>

export const BYTES = { headers: { 'Content-Type': 'application/octet-stream' } }
const PART_BYTES = 100

/** An import, as responses have it. */
export interface ImportResponse {
  readonly id: string
  readonly state: string
  readonly [field: string]: unknown
}

/** Sends a file in small parts, and reads it. */
export async function uploadFile(
  acme: Workspace,
  { crm }: Service,
  text: string,
  name = 'deals.csv',
): Promise<ImportResponse> {
  const bytes = Buffer.from(text)
  const created = await acme.call('POST', '/v1/imports', { name, size: bytes.length })
  expect(created.status).toBe(201)
  const { id } = importOf(created)
  for (let offset = 0; offset < bytes.length; offset += PART_BYTES) {
    const part = bytes.subarray(offset, offset + PART_BYTES)
    const sent = await acme.call('PUT', `/v1/imports/${id}/file?offset=${offset}`, part, BYTES)
    expect(sent.status).toBe(200)
  }
  await workOffImports(crm)
  return importOf(await acme.call('GET', `/v1/imports/${id}`))
}

/** Runs the background until no import is due. */
export async function workOffImports(crm: Service['crm']): Promise<void> {
  while (await crm.imports.continue()) {
    // Each call takes some steps.
  }
}

export function importOf({ json }: { readonly json: unknown }): ImportResponse {
  return (json as { readonly data: ImportResponse }).data
}
