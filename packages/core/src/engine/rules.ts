import type { Company } from '../schema/company.ts'
import type { Deal } from '../schema/deal.ts'
import type { Person } from '../schema/person.ts'
import type { Task } from '../schema/task.ts'
import type { RecordRule } from './extension.ts'

/** Rules of the embedding application, by the kind of record. */
export interface Rules {
  readonly companies?: readonly RecordRule<Company>[]
  readonly deals?: readonly RecordRule<Deal>[]
  readonly people?: readonly RecordRule<Person>[]
  readonly tasks?: readonly RecordRule<Task>[]
}
