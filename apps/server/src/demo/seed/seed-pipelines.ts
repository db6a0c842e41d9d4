import type { Ports, Records } from '@sales-crm/core/ports'
import { toInstant } from './seed-context.ts'

type Stage = Records['stages']

const SAMPLE_PIPELINES: readonly {
  readonly name: string
  readonly stages: readonly (readonly [string, Stage['type'], number])[]
}[] = [
  {
    name: 'New business',
    stages: [
      ['Qualified', 'open', 10],
      ['Demo', 'open', 30],
      ['Proposal', 'open', 60],
      ['Negotiation', 'open', 80],
      ['Won', 'win', 100],
      ['Lost', 'lost', 0],
    ],
  },
  {
    name: 'Renewals',
    stages: [
      ['Upcoming', 'open', 50],
      ['In talks', 'open', 75],
      ['Renewed', 'win', 100],
      ['Churned', 'lost', 0],
    ],
  },
]

/** Returns the stages of the workspace's pipelines, in order. Creates two pipelines if there are none. */
export async function ensureStages(
  { storage, newId, now }: Pick<Ports, 'storage' | 'newId' | 'now'>,
  workspaceId: string,
): Promise<readonly Stage[]> {
  return storage.transact(async (tx) => {
    const stores = tx.workspace(workspaceId)
    const samples = (await stores.pipelines.has([])) ? [] : SAMPLE_PIPELINES
    for (const [index, { name, stages }] of samples.entries()) {
      // One after the other, so that their order is that of the list.
      const createdAt = toInstant(Date.parse(now()) - (samples.length - index) * 1000)
      const pipeline = { id: newId(), name, created_at: createdAt, updated_at: createdAt }
      await stores.pipelines.insert(pipeline)
      await stores.stages.insertMany(
        stages.map(([name, type, probability], position) => {
          return {
            id: newId(),
            pipeline_id: pipeline.id,
            position,
            name,
            type,
            probability,
            created_at: createdAt,
            updated_at: createdAt,
          }
        }),
      )
    }
    const pipelines = await stores.pipelines.find([])
    const stages = await stores.stages.find([{ field: 'pipeline_id', oneOf: pipelines.map(({ id }) => id) }])
    return stages.toSorted((a, b) => a.position - b.position)
  })
}
