import { composeRecords, composeRunRules } from './compose-records.ts'
import { assertCrmOptions, assertPorts, type CrmOptions } from './crm-options.ts'
import type { Engine } from './engine/extension.ts'
import type { AnyRecordApi } from './engine/record-api.ts'
import { accountApi } from './features/accounts/account-api.ts'
import { archiveLinkApi } from './features/archives/archive-link.ts'
import { bulkChangeApi } from './features/bulk-changes/bulk-change-api.ts'
import { calendarApi } from './features/calendar/calendar-api.ts'
import { exampleApi } from './features/examples/example-api.ts'
import { ExportTurns } from './features/exports/export-turns.ts'
import { fileApi } from './features/files/file-api.ts'
import { createIdempotently } from './features/idempotency/idempotent-create.ts'
import { importApi } from './features/imports/import-api.ts'
import { sendDueMail } from './features/mail/mail-queue.ts'
import type { OutgoingMail } from './features/mail/outgoing-mail.ts'
import { memberApi } from './features/members/member-api.ts'
import { workspaceMembersApi } from './features/members/workspace-members-api.ts'
import { followingApi } from './features/notifications/following-api.ts'
import { notificationApi } from './features/notifications/notification-api.ts'
import { withNotices } from './features/notifications/notify-of-change.ts'
import { reminderApi } from './features/notifications/reminder-api.ts'
import { connectedAppsApi } from './features/oauth/grants/connected-apps.ts'
import { oauthApi } from './features/oauth/server/oauth-api.ts'
import { sessionTokenApi } from './features/oauth/session-tokens/session-tokens.ts'
import { accessTokens } from './features/oauth/tokens/access-tokens.ts'
import { type Authenticate, createAuthenticator } from './features/oauth/tokens/authenticate.ts'
import { operatorApi } from './features/operator/operator-api.ts'
import { countPersistentRateLimit } from './features/rate-limits/persistent-rate-limit.ts'
import { reportApi } from './features/reports/report-api.ts'
import { deleteExpired } from './features/retention/delete-expired.ts'
import { runApi } from './features/runs/run-api.ts'
import { type SearchQuery, type SearchResults, searchRecords } from './features/search/search-records.ts'
import { setupApi } from './features/setup/setup-api.ts'
import { usageApi } from './features/usage/usage-api.ts'
import { deliveryApi } from './features/webhooks/delivery-api.ts'
import type { DeliveryPolicy } from './features/webhooks/delivery-types.ts'
import { prepareEvents } from './features/webhooks/emit-events.ts'
import { webhookApi } from './features/webhooks/webhook-api.ts'
import { workspaceApi } from './features/workspaces/workspace-api.ts'
import type { Actor } from './kernel/actor.ts'
import type { RateLimit } from './kernel/rate-limit.ts'
import type { AccessGate } from './ports/access-gate.ts'
import type { Ports } from './ports/index.ts'
import type { ResourceName } from './schema/index.ts'

/** All use-cases. They take an actor, except those of `operator`, which check no permission. */
export interface Crm extends ReturnType<typeof composeUseCases> {}

/**
 * Composes the use-cases. All take an actor, except `operator`: those check no permission and are for trusted
 * code only.
 * @throws TypeError that names a wrong option
 */
export function createCrm(ports: Ports, options: CrmOptions = {}): Crm {
  assertPorts(ports)
  assertCrmOptions(options)
  return composeUseCases(ports, options)
}

/** The table of contents of the core; longer than a screen, because each entry has its comment for editors. */
function composeUseCases(ports: Ports, { rules = {} }: CrmOptions) {
  const tokens = accessTokens(ports)
  const engine = createEngine(ports)
  const exportTurns = new ExportTurns()
  const records = composeRecords(engine, rules, exportTurns)
  return {
    /** For people who signed in with a browser. */
    accounts: Object.assign(
      accountApi(ports),
      connectedAppsApi(ports),
      workspaceMembersApi(ports),
      sessionTokenApi(ports, tokens),
    ),
    /** Notes on people, companies and deals, with attachments. */
    activities: records.activities,
    /** Changes of all records that match, in the background. */
    bulkChanges: bulkChangeApi(engine),
    /** Companies, their tags and lists. */
    companies: records.companies,
    /** Fields that a workspace adds to its records. */
    customFields: records.custom_fields,
    /** Deals in the stages of pipelines, their tags and lists. */
    deals: records.deals,
    /** The contents of attachments and images. */
    files: fileApi(ports),
    /** Files whose rows become records. */
    imports: importApi(engine, rules, (actor, input) => records.custom_fields.create(actor, input as never)),
    mail: {
      /**
       * Sends due mail, a few at a time, and reports each result. Call it every second; several processes
       * may.
       */
      send: (send: (mail: OutgoingMail) => Promise<void>, shouldContinue?: () => boolean) =>
        sendDueMail(ports, send, shouldContinue),
    },
    /** Lists of people, companies and deals. */
    lists: records.lists,
    /** Why deals are lost. */
    lostReasons: records.lost_reasons,
    /** Members of the actor's workspace. */
    members: memberApi(ports),
    /** The calendars of members. */
    calendar: calendarApi(ports),
    /** What the members of the actor's workspace are told. */
    notifications: notificationApi(ports),
    /** The records that the actor's member follows. */
    following: followingApi(ports),
    /** The OAuth 2.1 authorization server. */
    oauth: oauthApi(ports, tokens),
    /** People, their tags and lists. */
    people: records.people,
    /** Pipelines with their stages. */
    pipelines: records.pipelines,
    /** Products with an image. */
    products: records.products,
    /** The kinds of records by their collections, for adapters that serve all alike. */
    records: records as Readonly<Record<ResourceName, AnyRecordApi>>,
    /** Reminders of tasks, of all workspaces. */
    reminders: reminderApi(ports),
    /** Reads over many records: aggregates, pipeline report. */
    reports: reportApi(ports),
    /** The long work of all workspaces. */
    runs: runApi(ports, composeRunRules(engine, rules)),
    /** The first workspace of a service. */
    setup: setupApi(ports),
    /** Tags of people, companies and deals. Every method that takes an id takes a key, too. */
    tags: records.tags,
    /** What members are to win in a month. */
    targets: records.targets,
    /** Types of tasks, such as calls. */
    taskTypes: records.task_types,
    /** Tasks with a due date. */
    tasks: records.tasks,
    /** Teams of members. */
    teams: records.teams,
    /** Saved filters, orders and columns of lists. */
    views: records.views,
    /** Counts the calls of each app. */
    usage: usageApi(ports),
    /** Webhooks of the actor's app, and their deliveries. */
    webhooks: webhookApi(ports),
    /** The actor's workspace. */
    workspace: Object.assign(
      workspaceApi(ports),
      exampleApi(engine, rules),
      archiveLinkApi(ports, exportTurns),
    ),
    /**
     * Searches several kinds of records at once.
     * @throws CrmError `validation_error`, `insufficient_scope`
     */
    searchRecords: (actor: Actor, query: SearchQuery): Promise<SearchResults> =>
      searchRecords({ ...records, activities: { list: records.activities.search } }, actor, query),
    /** Claims deliveries and saves their outcomes, for a dispatcher. */
    deliveryApi: (policy: DeliveryPolicy) => deliveryApi(ports, policy),
    /** Authenticates bearer tokens and counts their calls. */
    createAuthenticator: (accessGate: AccessGate): Authenticate => createAuthenticator(tokens, accessGate),
    /** Counts a call in a rate limit that survives a restart. */
    countPersistentRateLimit: (rateLimit: RateLimit) => countPersistentRateLimit(ports, rateLimit),
    /**
     * Deletes a batch of expired records and returns their number. Call it every few minutes until it returns
     * 0.
     */
    deleteExpired: () => deleteExpired(ports),
    /** Checks no permission: for trusted code only. */
    operator: operatorApi(ports, tokens),
  }
}

/** The ports and what features add to every kind of record. */
export function createEngine(ports: Ports): Engine {
  return {
    ...ports,
    prepareEvents: withNotices(prepareEvents, ports),
    createIdempotently: (request, create) => createIdempotently(ports, request, create),
  }
}
