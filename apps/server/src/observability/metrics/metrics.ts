import {
  ATTEMPT_ERRORS,
  type Attempt,
  type AttemptError,
  type BacklogView,
  DROP_REASONS,
} from '@sales-crm/core'
import type { Storage } from '@sales-crm/core/ports'
import prometheus, { type Registry } from 'prom-client'
import type { DeliveryObserver } from '../delivery-observer.ts'
import type { ResponseInfo } from '../response-info.ts'
import { createReplicationMetrics, type DatabaseServers } from './replication-metrics.ts'
import { timeStorage } from './timed-storage.ts'

export interface Metrics {
  readonly contentType: string
  recordResponse(info: ResponseInfo): void
  readonly deliveries: DeliveryObserver
  /** Wraps a storage so that its transactions are timed. */
  timeStorage(storage: Storage): Storage
  /** All metrics in Prometheus' text format, without those that could not be read from the database. */
  render(readings: DatabaseReadings): Promise<string>
}

interface DatabaseReadings {
  readonly backlog: BacklogView | undefined
  readonly servers?: DatabaseServers | undefined
}

type DeliveryOutcome = 'delivered' | 'refused' | AttemptError

/** Other methods are counted as `other`: a client can send any word, and each would create a series. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])
const RESPONSE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const DATABASE_BUCKETS = [0.0001, 0.00025, 0.0005, ...RESPONSE_BUCKETS]

/** These series start at 0: `rate()` misses the first event of a series that starts at 1. */
const OUTCOMES: readonly DeliveryOutcome[] = [
  'delivered',
  'refused',
  ...ATTEMPT_ERRORS.filter((error) => error !== 'not_signed'),
]

/**
 * Label values come from the code, never from a caller: this bounds the number of series and keeps personal
 * data out.
 */
export function createMetrics(): Metrics {
  const registry = new prometheus.Registry()
  prometheus.collectDefaultMetrics({ register: registry })
  const recordResponse = createResponseMetrics(registry)
  const deliveries = createDeliveryMetrics(registry)
  const database = new prometheus.Histogram({
    name: 'crm_database_seconds',
    help: 'Time of a transaction, its wait for its turn included.',
    labelNames: ['kind'] as const,
    buckets: DATABASE_BUCKETS,
    registers: [registry],
  })
  const renderBacklog = createBacklogMetrics()
  const renderReplication = createReplicationMetrics()

  return {
    contentType: registry.contentType,
    recordResponse,
    deliveries,
    timeStorage: (storage) => timeStorage(storage, (kind, seconds) => database.observe({ kind }, seconds)),
    async render({ backlog, servers }) {
      const texts = [
        registry.metrics(),
        backlog && renderBacklog(backlog),
        servers && renderReplication(servers),
      ]
      return (await Promise.all(texts.filter((text) => text !== undefined))).join('\n')
    },
  }
}

function createResponseMetrics(registry: Registry): Metrics['recordResponse'] {
  const registers = [registry]
  const requests = new prometheus.Histogram({
    name: 'crm_http_request_duration_seconds',
    help: 'Time from a request to its answer, by the route it matched.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: RESPONSE_BUCKETS,
    registers,
  })
  const rateLimited = new prometheus.Counter({
    name: 'crm_rate_limited_total',
    help: 'Requests that were over their rate limit.',
    labelNames: ['route'] as const,
    registers,
  })
  return ({ method, route = 'none', status, seconds }) => {
    requests.observe({ method: METHODS.has(method) ? method : 'other', route, status }, seconds)
    if (status === 429) rateLimited.inc({ route })
  }
}

function createDeliveryMetrics(registry: Registry): DeliveryObserver {
  const registers = [registry]
  const attempts = new prometheus.Counter({
    name: 'crm_deliveries_total',
    help: 'Attempts to deliver to a webhook, by what came of them.',
    labelNames: ['outcome'] as const,
    registers,
  })
  const drops = new prometheus.Counter({
    name: 'crm_deliveries_dropped_total',
    help: 'Deliveries given up by this process.',
    labelNames: ['reason'] as const,
    registers,
  })
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0)
  for (const reason of DROP_REASONS) drops.inc({ reason }, 0)
  return {
    onAttempt: (attempt) => attempts.inc({ outcome: outcomeOf(attempt) }),
    onDrop: (reason) => drops.inc({ reason }),
  }
}

/** Creates a separate registry, so that a scrape can omit it, and returns the function that renders it. */
function createBacklogMetrics(): (backlog: BacklogView) => Promise<string> {
  const registry = new prometheus.Registry()
  const registers = [registry]
  const pending = new prometheus.Gauge({
    name: 'crm_outbox_pending',
    help: 'Deliveries that wait in the database, those under way included.',
    registers,
  })
  const overdue = new prometheus.Gauge({
    name: 'crm_outbox_overdue_seconds',
    help: 'For how long the delivery that is due longest has been due; 0 when none is.',
    registers,
  })
  return (backlog) => {
    pending.set(backlog.pending)
    overdue.set(backlog.overdue_seconds)
    return registry.metrics()
  }
}

function outcomeOf({ status, error }: Attempt): DeliveryOutcome {
  if (error !== null) return error
  return status !== null && status >= 200 && status <= 299 ? 'delivered' : 'refused'
}
