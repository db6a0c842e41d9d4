import { exceedsFilterSize, FILTER_SIZE_RULE } from '../../engine/filter-size.ts'
import type { Filter } from '../../engine/list-query.ts'
import { phoneDigits } from '../../engine/phone-digits.ts'
import { unknownNameRule } from '../../engine/unknown-names.ts'
import { throwIfErrors } from '../../engine/validate.ts'
import { visibleWhere } from '../../engine/visible-records.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import { requireScope } from '../../kernel/actor.ts'
import { isUuid } from '../../kernel/field-schemas.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { Condition, NamedCondition } from '../../ports/index.ts'
import { filterParameter } from '../../schema/filter-parameter.ts'
import type { FilterCondition, FilterTree } from '../../schema/filter-tree.ts'
import { type Collection, KINDS, type KindName } from '../../schema/index.ts'
import { findTagId } from '../tags/tag.ts'
import { NOTHING } from './compare-field.ts'
import { buildFieldCondition } from './field-conditions.ts'
import type { FilterContext } from './filter-context.ts'
import {
  FILTER_OPERATORS,
  type FilterField,
  findCustomFilterField,
  listFilterFields,
} from './filter-fields.ts'
import { FilterValueError } from './filter-values.ts'

/** Filters by a tree of comparisons of any field. */
export function treeFilter<R extends RecordBase>(kind: KindName): Filter<R, typeof filterParameter> {
  return {
    schema: filterParameter,
    async conditions(tree, transaction) {
      const builder = new TreeBuilder(kind, transaction)
      const condition = await builder.build(tree, 'filter')
      builder.checkSize(condition)
      throwIfErrors(builder.errors, { filter: tree })
      return splitConjunction(condition) as readonly Condition<R>[]
    },
  }
}

/**
 * Builds the conditions of a filter that was saved. A comparison of a field that does not exist any more, or that does not
 * take its operator or value any more, counts for nothing.
 */
export async function buildKnownConditions(kind: KindName, tree: FilterTree, transaction: ViewTransaction) {
  const builder = new TreeBuilder(kind, transaction, true)
  const condition = await builder.build(tree, 'filter')
  return { conditions: splitConjunction(condition), unknown: [...builder.ignoredFields] }
}

/** Stands for a comparison that counts for nothing. */
const IGNORED: NamedCondition = { allOf: [] }

/** The conditions that all must hold: an index may answer one of them. */
function splitConjunction(condition: NamedCondition): readonly NamedCondition[] {
  return 'allOf' in condition ? condition.allOf.flatMap(splitConjunction) : [condition]
}

class TreeBuilder {
  readonly #kind: KindName
  readonly #transaction: ViewTransaction
  /** The rules that parts break, by their paths. */
  readonly errors = new Map<string, string>()
  /** The fields of the comparisons that count for nothing. */
  readonly ignoredFields = new Set<string>()
  readonly #isLenient: boolean
  #context: Promise<FilterContext> | undefined

  constructor(kind: KindName, transaction: ViewTransaction, isLenient = false) {
    this.#kind = kind
    this.#transaction = transaction
    this.#isLenient = isLenient
  }

  checkSize(condition: NamedCondition): void {
    if (exceedsFilterSize([condition])) this.#fail('filter', FILTER_SIZE_RULE)
  }

  async build(tree: FilterTree, path: string): Promise<NamedCondition> {
    if ('and' in tree) {
      const allOf = await this.#buildEach(tree.and, `${path}.and`)
      return allOf.length > 0 ? { allOf } : IGNORED
    }
    if ('or' in tree) {
      const anyOf = await this.#buildEach(tree.or, `${path}.or`)
      return anyOf.length > 0 ? { anyOf } : IGNORED
    }
    const errorCount = this.errors.size
    const condition = await this.#buildCondition(this.#kind, tree, tree.field, path)
    if (!this.#isLenient || this.errors.size === errorCount) return condition
    this.ignoredFields.add(tree.field)
    return IGNORED
  }

  async #buildEach(trees: readonly FilterTree[], path: string): Promise<readonly NamedCondition[]> {
    const conditions: NamedCondition[] = []
    for (const [index, tree] of trees.entries()) conditions.push(await this.build(tree, `${path}[${index}]`))
    return conditions.filter((condition) => condition !== IGNORED)
  }

  /** @param name what is left of the name of the field after those of references */
  async #buildCondition(
    kind: KindName,
    condition: FilterCondition,
    name: string,
    path: string,
  ): Promise<NamedCondition> {
    const fields = listFilterFields(kind)
    const [first = '', ...rest] = name.split('.')
    const reference = fields.get(first)
    const related = rest.length > 0 && reference?.type === 'record' ? relatedKind(reference) : undefined
    if (related && kind === this.#kind)
      return this.#buildRelated(related, reference!, condition, rest.join('.'), path)
    const field =
      first === 'custom_fields' && rest.length === 1
        ? await findCustomFilterField(kind, rest[0]!, this.#transaction)
        : fields.get(name)
    if (!field) return this.#fail(`${path}.field`, unknownNameRule('field', name, [...fields.keys()]))
    return this.#compare(field, condition, path)
  }

  async #buildRelated(
    kind: KindName,
    { column }: FilterField,
    condition: FilterCondition,
    name: string,
    path: string,
  ): Promise<NamedCondition> {
    const { scopes } = KINDS[kind] as { readonly scopes?: { readonly read: string } }
    if (scopes) requireScope(this.#transaction.actor, scopes.read)
    const where = [
      await this.#buildCondition(kind, condition, name, path),
      ...(await visibleWhere(kind as Collection, this.#transaction)),
    ]
    return { field: column, whereRelated: { collection: kind, where } }
  }

  async #compare(field: FilterField, { op, value }: FilterCondition, path: string): Promise<NamedCondition> {
    const operators: readonly string[] = FILTER_OPERATORS[field.type]
    if (!operators.includes(op)) return this.#fail(`${path}.op`, `Must be one of: ${operators.join(', ')}.`)
    const compared = field.activityLink ? await this.#withVisibleActivities(field) : field
    try {
      return await buildFieldCondition(compared, op, value, await this.#loadContext())
    } catch (error) {
      if (!(error instanceof FilterValueError)) throw error
      return this.#fail(`${path}.value${error.path}`, value === undefined ? 'Required.' : error.message)
    }
  }

  async #withVisibleActivities(field: FilterField): Promise<FilterField> {
    requireScope(this.#transaction.actor, KINDS.activities.scopes.read)
    return { ...field, activityWhere: await visibleWhere('activities', this.#transaction) }
  }

  #fail(path: string, rule: string): NamedCondition {
    this.errors.set(path, rule)
    return NOTHING
  }

  #loadContext(): Promise<FilterContext> {
    this.#context ??= loadContext(this.#transaction)
    return this.#context
  }
}

/** Undefined for a reference to what has no fields of its own in filters. */
function relatedKind({ kind }: FilterField): KindName | undefined {
  return kind !== undefined && Object.hasOwn(KINDS, kind) ? (kind as KindName) : undefined
}

async function loadContext(transaction: ViewTransaction): Promise<FilterContext> {
  const { stores, shared, workspaceId, now, parsePhone } = transaction
  const { userId } = transaction.actor
  const workspace = await shared.workspaces.get(workspaceId)
  return {
    ...{ userId, now: now(), timeZone: workspace?.time_zone ?? 'UTC' },
    toPhoneDigits: phoneDigits(parsePhone, workspace?.country ?? null),
    async findTeammates() {
      const teams = await stores.teams.find([])
      const own = teams.filter(({ members }) => members.some(({ id }) => id === userId))
      return own.flatMap(({ members }) => members.map(({ id }) => id))
    },
    findRemovedMembers: async () =>
      (await stores.members.find([{ not: { field: 'removed_at', is: null } }])).map(({ id }) => id),
    findOption: async (kind, name) =>
      kind === 'tags'
        ? findTagId(name, transaction)
        : isUuid(name)
          ? (await stores.lists.get(name.toLowerCase()))?.id
          : undefined,
  }
}
