import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** The HTTP methods that usage logs count. */
export type CountedMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Calls of one app in one workspace within an hour. */
export interface UsageLog extends RecordBase {
  readonly updated_at: Instant
  /** Unique: workspace, app and hour. */
  readonly period: string
  readonly workspace_id: string
  readonly client_id: string
  readonly period_start: Instant
  readonly period_end: Instant
  readonly requests: Readonly<Record<CountedMethod, number>>
  /** When its event is due; null once emitted. */
  readonly due_at: Instant | null
}

export const usageLogShape = {
  columns: {
    period: 'text',
    workspace_id: 'uuid',
    client_id: 'text',
    period_start: 'instant',
    period_end: 'instant',
    requests: 'json',
    due_at: 'instant?',
  },
  unique: ['period'],
  uniqueForever: [],
  foreignKeys: {},
} as const

/** A usage log in its event. */
export type UsageLogView = Pick<
  UsageLog,
  'id' | 'client_id' | 'period_start' | 'period_end' | 'requests' | 'created_at'
>
