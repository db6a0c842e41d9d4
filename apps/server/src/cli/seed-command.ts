import { type Counts, seed } from '../seed/seed.ts'
import { type Command, type Option, withStore } from './command.ts'

const NONE: Counts = { people: 0, companies: 0, deals: 0, tasks: 0, activities: 0 }
/** What `seed` adds when no count is named. */
const SOME: Counts = { people: 200, companies: 80, deals: 120, tasks: 200, activities: 200 }

interface Asked extends Partial<Counts> {
  readonly workspace: string
}

export const seedCommand: Command = {
  summary: 'add realistic records, in bulk',
  options: {
    workspace: { value: 'SLUG', help: 'the workspace', required: true, names: 'Workspace' },
    people: countOf('people'),
    companies: countOf('companies'),
    deals: countOf('deals'),
    tasks: countOf('tasks'),
    activities: countOf('activities'),
  },
  async run(given) {
    const { workspace, ...asked } = given.fields as unknown as Asked
    const counts = Object.keys(asked).length === 0 ? SOME : { ...NONE, ...asked }
    const began = performance.now()
    await withStore(given, ({ ports }) =>
      seed(ports, { workspace, counts, onProgress: (kind, done, all) => given.progress(`${kind} ${done} of ${all}`) }),
    )
    given.progress('')
    const seconds = Math.round(performance.now() - began) / 1000
    return { value: { ...counts, seconds } }
  },
}

function countOf(kind: keyof Counts): Option {
  return { value: 'N', help: `how many ${kind}; ${SOME[kind]} when no count is named, 0 when another is`, kind: 'count' }
}
