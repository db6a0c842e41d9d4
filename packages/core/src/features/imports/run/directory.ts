import type { WorkspaceTransaction } from '../../../engine/workspace-transaction.ts'
import { foldName } from '../../../kernel/fold-text.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { Stage } from '../../../schema/stage.ts'
import type { Workspace } from '../../../schema/workspace.ts'
import { findInvitedColleagues } from '../../members/invited-colleagues.ts'
import type { CustomFieldRule } from '../rows/cell-values.ts'

interface Named {
  readonly id: string
  readonly name: string
}

export interface DirectoryField extends CustomFieldRule {
  readonly id: string
}

/** The records of the settings that rows name, by their folded names. */
export class Directory {
  readonly workspace: Workspace
  readonly #memberIds: ReadonlyMap<string, string>
  readonly #invitedIds: ReadonlySet<string>
  readonly #pipelines: readonly Named[]
  readonly #stages: readonly Stage[]
  readonly #taskTypeIds: ReadonlyMap<string, string>
  /** By their keys. */
  readonly customFields: ReadonlyMap<string, DirectoryField>

  private constructor(parts: {
    readonly workspace: Workspace
    readonly memberIds: ReadonlyMap<string, string>
    readonly invitedIds: ReadonlySet<string>
    readonly pipelines: readonly Named[]
    readonly stages: readonly Stage[]
    readonly taskTypeIds: ReadonlyMap<string, string>
    readonly customFields: ReadonlyMap<string, DirectoryField>
  }) {
    this.workspace = parts.workspace
    this.#memberIds = parts.memberIds
    this.#invitedIds = parts.invitedIds
    this.#pipelines = parts.pipelines
    this.#stages = parts.stages
    this.#taskTypeIds = parts.taskTypeIds
    this.customFields = parts.customFields
  }

  static async load(transaction: WorkspaceTransaction, at: Instant): Promise<Directory> {
    const { workspaceId, shared, stores } = transaction
    const [workspace, invited, members, pipelines, stages, taskTypes, fields] = await Promise.all([
      shared.workspaces.get(workspaceId),
      findInvitedColleagues(transaction, at),
      stores.members.find([{ field: 'removed_at', is: null }]),
      stores.pipelines.find([]),
      stores.stages.find([]),
      stores.task_types.find([]),
      stores.custom_fields.find([]),
    ])
    const users = await loadUsers(
      members.map(({ id }) => id),
      shared,
    )
    return new Directory({
      workspace: workspace!,
      memberIds: mapNames([
        ...users.flatMap(({ id, name, email }) => [[email, id] as const, [name, id] as const]),
        ...invited.map(({ id, email }) => [email, id] as const),
      ]),
      invitedIds: new Set(invited.map(({ id }) => id)),
      pipelines,
      stages: stages.toSorted((a, b) => a.position - b.position),
      taskTypeIds: mapNames(
        taskTypes.flatMap(({ id, key, title }) => [[key, id] as const, [title, id] as const]),
      ),
      customFields: new Map(
        fields.map(({ id, key, type, value }) => [key, { id, type, options: value?.select_list ?? [] }]),
      ),
    })
  }

  /** The member of an address or name, or the invited colleague of an address. */
  findMember(text: string): string | undefined {
    return this.#memberIds.get(foldName(text))
  }

  isInvited(userId: string): boolean {
    return this.#invitedIds.has(userId)
  }

  findTaskType(text: string): string | undefined {
    return this.#taskTypeIds.get(foldName(text))
  }

  findPipeline(text: string): string | undefined {
    const folded = foldName(text)
    return this.#pipelines.find(({ name }) => foldName(name) === folded)?.id
  }

  /** The pipeline of deals whose row names none. */
  get firstPipeline(): string | undefined {
    return this.#pipelines[0]?.id
  }

  /** A stage of the pipeline, or without one of the first pipeline that has it. */
  findStage(text: string, pipelineId: string | undefined): Stage | undefined {
    const folded = foldName(text)
    return this.#stagesOf(pipelineId).find(({ name }) => foldName(name) === folded)
  }

  findStageOfType(type: Stage['type'], pipelineId: string | undefined): Stage | undefined {
    return this.#stagesOf(pipelineId).find((stage) => stage.type === type)
  }

  #stagesOf(pipelineId: string | undefined): readonly Stage[] {
    if (pipelineId !== undefined) return this.#stages.filter(({ pipeline_id }) => pipeline_id === pipelineId)
    return this.#pipelines.flatMap(({ id }) => this.#stages.filter(({ pipeline_id }) => pipeline_id === id))
  }
}

/** Loads users, a thousand at a time. */
async function loadUsers(ids: readonly string[], { users }: WorkspaceTransaction['shared']) {
  const found = []
  for (let start = 0; start < ids.length; start += 1000)
    found.push(...(await users.getMany(ids.slice(start, start + 1000))))
  return found
}

/** Of equal names the first counts. */
function mapNames(entries: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(entries.map(([name, id]) => [foldName(name), id] as const).toReversed())
}
