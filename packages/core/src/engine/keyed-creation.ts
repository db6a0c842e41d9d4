import { type Actor, requireScope } from '../kernel/actor.ts'
import type { IdempotentCreateApi, RecordApi } from './crud.ts'
import type { Engine, IdempotentCreation } from './extension.ts'
import type { Resource } from './resource.ts'

const WITHOUT_KEY: IdempotentCreation = { keyErrors: {}, saveResponse: async () => {} }

/** Creation with and without an idempotency key, for a kind whose feature creates its records itself. */
export function keyedCreation<Input, Detail>(
  { label, scopes }: Pick<Resource<never>, 'label' | 'scopes'>,
  { createIdempotently }: Pick<Engine, 'createIdempotently'>,
  create: (actor: Actor, input: Input, creation: IdempotentCreation) => Promise<Detail>,
): Pick<RecordApi<never, Input, never, never, Detail>, 'create'> & IdempotentCreateApi<Input, Detail> {
  return {
    create: (actor, input) => create(actor, input, WITHOUT_KEY),
    async createIdempotent(actor, key, input) {
      requireScope(actor, scopes.write)
      const request = { actor, path: label, key, body: input }
      return createIdempotently(request, (saveResponse, keyErrors) =>
        create(actor, input, { saveResponse, keyErrors }),
      )
    },
  }
}
