import { createCrm } from '@sales-crm/core'
import type { Ports } from '@sales-crm/core/ports'
import { nodePorts } from '@sales-crm/node'
import { type SeedCounts, seed } from '../../../apps/server/src/demo/seed/seed.ts'
import { ISSUER, OWNER_EMAIL, SECRET_KEY, SLUG } from '../../../bench/data.ts'
import type { FaultEnvironment } from '../environment.ts'
import type { Effort } from '../fault.ts'

/** A thorough run fills the default quota of a million records, but for the room that writes need. */
const COUNTS: Readonly<Record<Effort, SeedCounts>> = {
  brief: { companies: 100, people: 1500, deals: 2500, tasks: 500, activities: 500 },
  thorough: { companies: 0, people: 200_000, deals: 100_000, tasks: 100_000, activities: 590_000 },
}
const [LABELS, FIELDS, OPTIONS, MAX_STAGES] = [20, 5, 10, 50]

/** Fills a workspace up to its quota, with as many labels, fields and stages as a large company has. */
export function seedQuota({ withCore }: FaultEnvironment, effort: Effort): Promise<void> {
  return withCore(async ({ storage }) => {
    const ports: Ports = { ...nodePorts({ secretKey: SECRET_KEY, issuer: ISSUER }), storage }
    await createSettings(ports)
    await seed(ports, { workspace: SLUG, counts: COUNTS[effort], onProgress: showProgress(effort) })
  })
}

async function createSettings(ports: Ports): Promise<void> {
  const crm = createCrm(ports)
  const actor = await crm.operator.actorFor({ workspace: SLUG, email: OWNER_EMAIL })
  for (let nth = 1; nth <= LABELS; nth += 1) {
    await crm.tags.create(actor, { name: `Tag ${nth}` })
    await crm.lists.create(actor, { name: `List ${nth}` })
  }
  const select_list = Array.from({ length: OPTIONS }, (_, nth) => ({
    key: `o${nth}`,
    option: `Option ${nth}`,
  }))
  for (let nth = 1; nth <= FIELDS; nth += 1)
    await crm.customFields.create(actor, {
      ...{ label: `Select ${nth}`, key: `select_${nth}`, type: 'select', value: { select_list } },
      ...{ show_people: true, show_companies: true, show_deals: true },
    })
  for (const stageCount of [6, MAX_STAGES])
    await crm.pipelines.create(actor, { name: `Pipeline of ${stageCount}`, stages: buildStages(stageCount) })
}

function buildStages(count: number) {
  const open = Array.from({ length: count - 2 }, (_, nth) => ({ name: `Stage ${nth + 1}` }))
  return [...open, { name: 'Won', type: 'win' as const }, { name: 'Lost', type: 'lost' as const }]
}

function showProgress(effort: Effort) {
  return (kind: string, done: number, total: number) => {
    if (effort === 'thorough' && done % 50_000 === 0) console.log(`${kind}: ${done} of ${total}`)
  }
}
