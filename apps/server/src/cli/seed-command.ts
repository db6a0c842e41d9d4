import { type SeedCounts, seed } from '../demo/seed/seed.ts'
import { type Command, type Option, withOpenStore } from './command.ts'

const NO_RECORDS: SeedCounts = { people: 0, companies: 0, deals: 0, tasks: 0, activities: 0 }
/** Used if no count is given. */
const DEFAULT_COUNTS: SeedCounts = { people: 200, companies: 80, deals: 120, tasks: 200, activities: 200 }

interface SeedInput extends Partial<SeedCounts> {
  readonly workspace: string
}

export const seedCommand: Command = {
  summary: 'add realistic records, in bulk',
  options: {
    workspace: { value: 'SLUG', help: 'the workspace', required: true, names: 'Workspace' },
    people: countOption('people'),
    companies: countOption('companies'),
    deals: countOption('deals'),
    tasks: countOption('tasks'),
    activities: countOption('activities'),
  },
  async run(context) {
    const { workspace, ...requestedCounts } = context.fields as unknown as SeedInput
    const counts =
      Object.keys(requestedCounts).length === 0 ? DEFAULT_COUNTS : { ...NO_RECORDS, ...requestedCounts }
    const startedAt = performance.now()
    await withOpenStore(context, ({ ports }) =>
      seed(ports, {
        workspace,
        counts,
        onProgress: (kind, done, total) => context.progress(`${kind} ${done} of ${total}`),
      }),
    )
    context.progress('')
    const seconds = Math.round(performance.now() - startedAt) / 1000
    return { value: { ...counts, seconds } }
  },
}

function countOption(kind: keyof SeedCounts): Option {
  return {
    value: 'N',
    help: `how many ${kind}; ${DEFAULT_COUNTS[kind]} when no count is named, 0 when another is`,
    kind: 'count',
  }
}
