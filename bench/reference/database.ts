import type { Row } from './views.ts'

export interface TaskInput {
  readonly title: string
  readonly due_date: string
  readonly person_id: string
  readonly company_id: string
  readonly deal_id: string
}

export interface TaskPatch {
  readonly title: string
  readonly priority: string
}

/** The reference's operations, each in one transaction. */
export interface ReferenceDatabase {
  task(id: string): Promise<Row>
  people(): Promise<{ readonly rows: readonly Row[]; readonly total: number }>
  createTask(input: TaskInput): Promise<Row>
  updateTask(id: string, patch: TaskPatch): Promise<Row>
}
