import type { GenericSchema } from 'valibot'
import type { Engine, RecordRule } from '../../engine/extension.ts'
import { type Input, withoutNulls } from '../../engine/patch.ts'
import { versionOf } from '../../engine/record-version.ts'
import { RecordWriter, type WritableResource } from '../../engine/record-writer.ts'
import type { Rules } from '../../engine/rules.ts'
import { validate } from '../../engine/validate.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { addSeconds, DAY } from '../../kernel/instant.ts'
import type { RecordBase } from '../../kernel/record.ts'
import { dayOf, wholeDay } from '../../kernel/time-zone.ts'
import type { Transaction } from '../../ports/storage.ts'
import { minorUnitDigits } from '../../schema/currency.ts'
import type { ExampleKind } from '../../schema/example.ts'
import type { Stage, StageType } from '../../schema/stage.ts'
import type { Workspace } from '../../schema/workspace.ts'
import { companies } from '../companies/company.ts'
import { deals } from '../deals/deal.ts'
import { people } from '../people/person.ts'
import { pipelines } from '../pipelines/pipeline.ts'
import { loadStages } from '../pipelines/pipeline-stages.ts'
import { findTaskTypeKeys } from '../task-types/task-type.ts'
import { tasks } from '../tasks/task.ts'
import { loadParts } from './example.ts'
import { type ExampleTexts, exampleTexts } from './example-texts.ts'

/** The stages of a pipeline in which no deal is open, from the end of the list of deals. */
const CLOSED: readonly StageType[] = ['lost', 'win', 'win']

/** Creates the examples in the transaction, in the language, and marks them. The actor owns them. */
export class ExampleCreation {
  readonly #engine: Engine
  readonly #rules: Rules
  readonly #actor: Actor
  readonly #tx: Transaction
  readonly #transaction: WorkspaceTransaction
  readonly #texts: ExampleTexts
  readonly #created: { readonly kind: ExampleKind; readonly id: string }[] = []

  constructor(
    engine: Engine,
    rules: Rules,
    { actor, tx, language }: { readonly actor: Actor; readonly tx: Transaction; readonly language: string },
  ) {
    this.#engine = engine
    this.#rules = rules
    this.#actor = actor
    this.#tx = tx
    this.#transaction = inWorkspace(tx, actor)
    this.#texts = exampleTexts(language)
  }

  /** @throws CrmError what a `RecordRule` throws, and `validation_error` for a required custom field */
  async run(): Promise<void> {
    const workspace = (await this.#tx.workspaces.get(this.#actor.workspaceId))!
    const stages = await this.#findStages()
    const companyIds = await this.#createAll(companies, this.#rules.companies, this.#companies())
    const personIds = await this.#createAll(people, this.#rules.people, this.#people(companyIds))
    const links = this.#texts.deals.map(([, person]) => ({
      person_id: personIds[person]!,
      company_id: companyIds[this.#texts.people[person]![2]]!,
    }))
    const dealIds = await this.#createAll(deals, this.#rules.deals, this.#deals(links, stages, workspace))
    await this.#createAll(tasks, this.#rules.tasks, await this.#tasks(links, dealIds, workspace))
    await this.#mark()
  }

  /** The stages of the oldest pipeline, or of a new one, which is an example too. */
  async #findStages(): Promise<readonly Stage[]> {
    const [oldest] = await this.#transaction.stores.pipelines.find([])
    if (oldest) return loadStages([oldest.id], this.#transaction)
    const { name, stages } = this.#texts.pipeline
    const types: readonly StageType[] = ['open', 'open', 'open', 'win', 'lost']
    const input = {
      name,
      stages: stages.map((stage, index) => ({ name: stage, type: types[index]! })),
    }
    const ids = await this.#createAll(pipelines, undefined, [input])
    return loadStages(ids, this.#transaction)
  }

  #companies(): readonly Input[] {
    return this.#texts.companies.map((full_name) => this.#owned({ full_name }))
  }

  #people(companyIds: readonly string[]): readonly Input[] {
    return this.#texts.people.map(([full_name, position, company], index) =>
      this.#owned({
        full_name,
        position,
        company_id: companyIds[company],
        // A domain that nobody can own (RFC 2606).
        emails: [{ email: `person${index + 1}@company${company + 1}.example` }],
      }),
    )
  }

  #deals(
    links: readonly object[],
    stages: readonly Stage[],
    { currency, time_zone }: Workspace,
  ): readonly Input[] {
    const open = stages.filter(({ type }) => type === 'open')
    const lastOpen = this.#texts.deals.length - CLOSED.length
    return this.#texts.deals.map(([name, , thousands], index) => {
      const closed = stages.find(({ type }) => type === CLOSED[index - lastOpen])
      const stage = closed ?? open[index % open.length] ?? stages[0]!
      return this.#owned({
        name,
        amount: thousands * 1000 * 10 ** minorUnitDigits(currency),
        currency,
        stage_id: stage.id,
        forecast_date: wholeDay(this.#dayIn(time_zone, 5 * index), time_zone),
        ...links[index],
      })
    })
  }

  async #tasks(
    links: readonly object[],
    dealIds: readonly string[],
    { time_zone }: Workspace,
  ): Promise<readonly Input[]> {
    const types = await findTaskTypeKeys(this.#transaction)
    return this.#texts.tasks.map(([title, type, deal, days]) =>
      this.#owned({
        title,
        ...(types.has(type) && { type }),
        due_date: wholeDay(this.#dayIn(time_zone, days), time_zone),
        deal_id: dealIds[deal],
        ...links[deal],
      }),
    )
  }

  #dayIn(timeZone: string, days: number): string {
    return dayOf(addSeconds(this.#engine.now(), days * DAY), timeZone)
  }

  #owned(input: Input): Input {
    return { ...input, owner_user_id: this.#actor.userId }
  }

  /** Returns the ids in the order of the inputs. */
  async #createAll<R extends RecordBase, Detail extends { readonly id: string }>(
    resource: WritableResource<R, Detail> & { readonly collection: string; readonly create: GenericSchema },
    rules: readonly RecordRule<R>[] | undefined,
    inputs: readonly Input[],
  ): Promise<readonly string[]> {
    const writer = new RecordWriter(resource, this.#engine, rules)
    const ids: string[] = []
    for (const input of inputs) {
      const fields = withoutNulls(validate(resource.create, input))
      ids.push((await writer.create(this.#actor, fields, this.#tx)).id)
    }
    this.#created.push(...ids.map((id) => ({ kind: resource.collection as ExampleKind, id })))
    return ids
  }

  async #mark(): Promise<void> {
    const at = this.#engine.now()
    const { stores } = this.#transaction
    for (const { kind, id } of this.#created) {
      const record = await stores[kind].get(id)
      const version = versionOf(record!, this.#engine, await loadParts(kind, id, this.#transaction))
      await stores.examples.insert({ id, kind, version, created_at: at, updated_at: at })
    }
  }
}
