import type { Engine } from '../../engine/extension.ts'
import { loadRole } from '../../engine/load-role.ts'
import type { Rules } from '../../engine/rules.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { conflict, forbidden } from '../../kernel/errors.ts'
import { mayManage } from '../../kernel/role.ts'
import type { Transaction } from '../../ports/storage.ts'
import { WORKSPACE_SCOPE } from '../workspaces/update-workspace.ts'
import { ExampleCreation } from './create-examples.ts'
import { type ExampleRemoval, removeExamples } from './remove-examples.ts'

/** Example records, to look around in a new workspace. */
export interface ExampleApi {
  /**
   * Creates twelve deals with people, companies and tasks, and a pipeline if there is none. For owners and admins with
   * the scope `workspace:manage`. Sends the events of each record. Returns the number of records.
   * @param origin its language is that of the examples: `pt-BR` or English
   * @throws CrmError `insufficient_scope`, `forbidden`; `conflict` if there are examples; what creates throw
   */
  createExamples(actor: Actor, origin: { readonly language: string }): Promise<{ readonly examples: number }>
  /**
   * Deletes the examples, except those that somebody changed or linked to another record: they stay, and are no
   * examples any more.
   * @throws CrmError `insufficient_scope`, `forbidden`
   */
  removeExamples(actor: Actor): Promise<ExampleRemoval>
}

export function exampleApi(engine: Engine, rules: Rules): ExampleApi {
  /** Runs for an owner or admin, one at a time. */
  async function transact<T>(
    actor: Actor,
    operation: 'create' | 'delete',
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    requireScope(actor, WORKSPACE_SCOPE)
    return engine.storage.transact(async (tx) => {
      await tx.workspaces.getForUpdate(actor.workspaceId)
      const role = await loadRole(actor, inWorkspace(tx, actor))
      if (!mayManage(role)) throw forbidden(operation, 'example')
      return work(tx)
    })
  }

  const countExamples = async (actor: Actor, tx: Transaction) =>
    (await tx.workspace(actor.workspaceId).examples.find([])).length

  return {
    createExamples: (actor, { language }) =>
      transact(actor, 'create', async (tx) => {
        if ((await countExamples(actor, tx)) > 0) throw conflict('examples', 'Are there already.')
        await new ExampleCreation(engine, rules, { actor, tx, language }).run()
        return { examples: await countExamples(actor, tx) }
      }),
    removeExamples: (actor) => transact(actor, 'delete', (tx) => removeExamples(engine, actor, tx)),
  }
}
