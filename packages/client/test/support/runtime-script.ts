import { CrmApiError, createClient } from '../../src/index.ts'

/** Uses the client with what every runtime has. `movedUrl` redirects to another path. */
export async function useClient(url: string, movedUrl: string, token: string) {
  const crm = createClient({ url, token })
  const ana = await crm.people.create({ full_name: 'Ana Lima', emails: [{ email: 'ana@lima.example' }] })
  await crm.people.create({ full_name: 'Bob' })
  await crm.people.update(ana.id, { score: 5 })
  const names: string[] = []
  for await (const person of crm.people.list({ per_page: 1, order_by: 'full_name', order: 'asc' }))
    names.push(person.full_name)
  const { score } = await crm.people.get(ana.id)
  await crm.people.delete(ana.id)
  const { meta } = await crm.people.list({ search: 'ana' })
  const moved = createClient({ url: movedUrl, token })
  return {
    names,
    score,
    total: meta.total,
    invalid: await errorOf(crm.people.create({ full_name: '' })),
    redirect: await errorOf(moved.people.get('1')),
    aborted: await errorOf(crm.people.get('1', { signal: AbortSignal.abort() })),
  }
}

async function errorOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.catch((reason: unknown) => reason)
  if (error instanceof CrmApiError) return error.code ?? error.message.replace(/^(Redirect).*/, '$1')
  return error instanceof DOMException ? error.name : String(error)
}
