import { type Actor, requireScope } from '../kernel/actor.ts'
import type { Engine, IdempotentCreation, SaveResponse } from './extension.ts'
import type { IdempotentCreateApi, IdempotentUpdateApi, RecordApi } from './record-api.ts'
import type { WriteConditions } from './record-version.ts'
import type { Resource } from './resource.ts'
import { throwIfErrors } from './validate.ts'

const WITHOUT_KEY: IdempotentCreation = { keyErrors: {}, saveResponse: async () => {} }

/** What an update does besides its change: it holds to a version, and saves the response. */
export interface UpdateOptions extends WriteConditions {
  readonly saveResponse?: SaveResponse
}

/** Updates with and without an idempotency key. */
export function keyedUpdate<Input, Detail>(
  { label, scopes }: Pick<Resource<never>, 'label' | 'scopes'>,
  { createIdempotently }: Pick<Engine, 'createIdempotently'>,
  update: (actor: Actor, id: string, input: Input, options: UpdateOptions) => Promise<Detail>,
): Pick<RecordApi<never, never, Input, never, Detail>, 'update'> & IdempotentUpdateApi<Input, Detail> {
  return {
    update: (actor, id, input, conditions = {}) => update(actor, id, input, conditions),
    async updateIdempotent(actor, key, id, input, conditions = {}) {
      requireScope(actor, scopes.write)
      const request = { actor, path: `${label} ${id.toLowerCase()}`, key, body: input }
      return createIdempotently(request, async (saveResponse, keyErrors) => {
        throwIfErrors(new Map(Object.entries(keyErrors)))
        return update(actor, id, input, { ...conditions, saveResponse })
      })
    },
  }
}

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
