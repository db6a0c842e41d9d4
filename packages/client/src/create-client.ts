import { buildClient, type CrmClient } from './build-client.ts'
import { type ClientOptions, parseClientOptions } from './client-options.ts'
import { systemRuntime } from './runtime.ts'

/**
 * Creates a client of the service. It sends nothing until a method is called.
 *
 * ```ts
 * const crm = createClient({ url: 'https://crm.example', token })
 * const ana = await crm.people.create({ full_name: 'Ana Lima' })
 * ```
 * @throws TypeError naming the option and the rule that it breaks
 */
export function createClient(options: ClientOptions): CrmClient {
  return buildClient(parseClientOptions(options), systemRuntime)
}
