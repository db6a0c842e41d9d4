import { type Actor, requireScope } from '../kernel/actor.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Engine, SaveResponse } from './extension.ts'
import type { HasDetailView } from './load-record.ts'
import type { IdempotentUpdateApi, RecordApi } from './record-api.ts'
import type { WriteConditions } from './record-version.ts'
import type { Resource } from './resource.ts'
import { reviewReplay } from './review-replay.ts'
import { throwIfErrors } from './validate.ts'

/** What an update does besides its change: it holds to a version, and saves the response. */
export interface UpdateOptions extends WriteConditions {
  readonly saveResponse?: SaveResponse
}

/** Updates with and without an idempotency key. */
export function keyedUpdate<R extends RecordBase, Input, Detail extends object>(
  resource: Pick<Resource<R>, 'label' | 'scopes' | 'collection' | 'store'> & HasDetailView<R, Detail>,
  engine: Engine,
  update: (actor: Actor, id: string, input: Input, options: UpdateOptions) => Promise<Detail>,
): Pick<RecordApi<never, never, Input, never, Detail>, 'update'> & IdempotentUpdateApi<Input, Detail> {
  const { label, scopes } = resource
  return {
    update: (actor, id, input, conditions = {}) => update(actor, id, input, conditions),
    async updateIdempotent(actor, key, id, input, conditions = {}) {
      requireScope(actor, scopes.write)
      const request = { actor, path: `${label} ${id.toLowerCase()}`, key, body: input }
      const result = await engine.createIdempotently(request, async (saveResponse, keyErrors) => {
        throwIfErrors(new Map(Object.entries(keyErrors)), input)
        return update(actor, id, input, { ...conditions, saveResponse })
      })
      return reviewReplay(resource, engine, actor, result)
    },
  }
}
