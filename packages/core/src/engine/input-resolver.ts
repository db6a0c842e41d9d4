import type { Actor } from '../kernel/actor.ts'
import type { Instant } from '../kernel/instant.ts'
import { requirePermission } from '../kernel/permissions.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { ChangeContext, Engine, Extension } from './extension.ts'
import { withCurrentRole } from './load-role.ts'
import { type MergedResolution, mergeResolutions } from './merge-resolutions.ts'
import { resolveEffectiveOwner } from './owner.ts'
import { type Input, ownerFieldOf } from './patch.ts'
import { resolveReferences } from './references.ts'
import type { Resource } from './resource.ts'
import { throwIfErrors } from './validate.ts'
import type { ViewTransaction } from './workspace-transaction.ts'

type ResolvableResource<R extends RecordBase> = Pick<
  Resource<R>,
  'label' | 'collection' | 'memberAccess' | 'references' | 'deriveFields'
>

/** Turns the valid input of one kind into columns, and checks that the actor may write them. */
export class InputResolver<R extends RecordBase> {
  readonly #resource: ResolvableResource<R>
  readonly #engine: Pick<Engine, 'random'>
  readonly #extensions: readonly Extension<R>[]
  readonly #extensionFields: ReadonlySet<string>

  constructor(
    resource: ResolvableResource<R>,
    engine: Pick<Engine, 'random'>,
    extensions: readonly Extension<R>[],
  ) {
    this.#resource = resource
    this.#engine = engine
    this.#extensions = extensions
    this.#extensionFields = new Set(extensions.flatMap(({ inputFields = [] }) => inputFields))
  }

  /**
   * Resolves the input to columns, with all errors at once.
   * @throws CrmError `validation_error`, `forbidden`
   */
  async resolve(
    actor: Actor,
    input: Input,
    before: R | undefined,
    transaction: ViewTransaction,
    context: ChangeContext,
  ): Promise<{ readonly fields: object; readonly resolved: MergedResolution<R> }> {
    const resource = this.#resource
    const errors = new Map<string, string>()
    const [member, fields, ...resolutions] = await Promise.all([
      withCurrentRole(actor, transaction),
      this.#resolveOwnFields(input, before, context.at, transaction, errors),
      ...this.#extensions.map((each) =>
        each.resolve?.(input, before, transaction, errors, {
          ...context,
          actor,
          random: this.#engine.random,
        }),
      ),
    ])
    throwIfErrors(errors, input)
    const permissionRecord = before && (await resolveEffectiveOwner(before, resource, member, transaction))
    const operation = before ? 'update' : 'create'
    requirePermission(member, operation, resource, permissionRecord, fields, ownerFieldOf(input))
    for (const each of resolutions) await each?.requirePermissions?.(member, transaction)
    const resolved = mergeResolutions(resolutions.filter((each) => each !== undefined))
    return { fields: { ...fields, ...resolved.ownFields }, resolved }
  }

  async #resolveOwnFields(
    input: Input,
    before: R | undefined,
    at: Instant,
    transaction: ViewTransaction,
    errors: Map<string, string>,
  ) {
    const { references, deriveFields } = this.#resource
    const ownEntries = Object.entries(input).filter(([name]) => !this.#extensionFields.has(name))
    const fields = await resolveReferences(references, Object.fromEntries(ownEntries), transaction, errors)
    const { random } = this.#engine
    return deriveFields({ before, fields: fields as Partial<R>, at, random }, transaction, errors)
  }
}
