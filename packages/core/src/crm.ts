import { assertCrmOptions, assertPorts, type CrmOptions } from './crm-options.ts'
import { recordApi } from './engine/crud.ts'
import type { Engine } from './engine/extension.ts'
import type { AnyRecordApi } from './engine/record-api.ts'
import type { Rules } from './engine/rules.ts'
import { accountApi } from './features/accounts/account-api.ts'
import { activities } from './features/activities/activity.ts'
import { activityApi } from './features/activities/activity-api.ts'
import { archiveLinkApi } from './features/archives/archive-link.ts'
import { membershipApi } from './features/associations/change-memberships.ts'
import { batchApi } from './features/batch/batch-api.ts'
import { boardApi } from './features/board/board-api.ts'
import { companies } from './features/companies/company.ts'
import { customFields } from './features/custom-fields/custom-field.ts'
import { deals } from './features/deals/deal.ts'
import { exampleApi } from './features/examples/example-api.ts'
import { exportApi } from './features/exports/export-api.ts'
import { ExportTurns } from './features/exports/export-turns.ts'
import { fileApi } from './features/files/file-api.ts'
import { createIdempotently } from './features/idempotency/idempotent-create.ts'
import { importApi } from './features/imports/import-api.ts'
import { lists } from './features/lists/list.ts'
import { sendDueMail } from './features/mail/mail-queue.ts'
import type { OutgoingMail } from './features/mail/outgoing-mail.ts'
import { memberApi } from './features/members/member-api.ts'
import { lockSuccessor, ownerChange } from './features/members/reassignment.ts'
import { workspaceMembersApi } from './features/members/workspace-members-api.ts'
import { connectedAppsApi } from './features/oauth/grants/connected-apps.ts'
import { oauthApi } from './features/oauth/server/oauth-api.ts'
import { sessionTokenApi } from './features/oauth/session-tokens/session-tokens.ts'
import { accessTokens } from './features/oauth/tokens/access-tokens.ts'
import { type Authenticate, createAuthenticator } from './features/oauth/tokens/authenticate.ts'
import { operatorApi } from './features/operator/operator-api.ts'
import { people } from './features/people/person.ts'
import { pipelines } from './features/pipelines/pipeline.ts'
import { products } from './features/products/product.ts'
import { countPersistentRateLimit } from './features/rate-limits/persistent-rate-limit.ts'
import { reportApi } from './features/reports/report-api.ts'
import { deleteExpired } from './features/retention/delete-expired.ts'
import { runApi } from './features/runs/run-api.ts'
import { createPass, type RunRules } from './features/runs/run-rules.ts'
import { type SearchQuery, type SearchResults, searchRecords } from './features/search/search-records.ts'
import { setupApi } from './features/setup/setup-api.ts'
import { shareApi } from './features/shares/share-api.ts'
import { findTagId, tags } from './features/tags/tag.ts'
import { tagApi } from './features/tags/tag-api.ts'
import { taskTypes } from './features/task-types/task-type.ts'
import { tasks } from './features/tasks/task.ts'
import { teams } from './features/teams/team.ts'
import { timelineApi } from './features/timeline/timeline-api.ts'
import { upsertApi } from './features/upsert/upsert-api.ts'
import { usageApi } from './features/usage/usage-api.ts'
import { deliveryApi } from './features/webhooks/delivery-api.ts'
import type { DeliveryPolicy } from './features/webhooks/delivery-types.ts'
import { prepareEvents } from './features/webhooks/emit-events.ts'
import { webhookApi } from './features/webhooks/webhook-api.ts'
import { dueDateMove, forecastMove } from './features/workspaces/time-zone-change.ts'
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
    /** Members of the actor's workspace. */
    members: memberApi(ports),
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
    /** Reads over many records: aggregates, pipeline report. */
    reports: reportApi(ports),
    /** The long work of all workspaces. */
    runs: runApi(ports, composeRunRules(engine, rules)),
    /** The first workspace of a service. */
    setup: setupApi(ports),
    /** Tags of people, companies and deals. Every method that takes an id takes a key, too. */
    tags: records.tags,
    /** Types of tasks, such as calls. */
    taskTypes: records.task_types,
    /** Tasks with a due date. */
    tasks: records.tasks,
    /** Teams of members. */
    teams: records.teams,
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
     * Searches people, companies, deals and products at once.
     * @throws CrmError `validation_error`, `insufficient_scope`
     */
    searchRecords: (actor: Actor, query: SearchQuery): Promise<SearchResults> =>
      searchRecords(records, actor, query),
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

function composeRunRules(engine: Engine, rules: Rules): RunRules {
  return {
    reassignment: {
      passes: [
        createPass(people, engine, rules.people, ownerChange()),
        createPass(companies, engine, rules.companies, ownerChange()),
        createPass(deals, engine, rules.deals, ownerChange()),
        createPass(tasks, engine, rules.tasks, ownerChange()),
      ],
      lock: lockSuccessor,
    },
    time_zone_change: {
      passes: [
        createPass(tasks, engine, rules.tasks, dueDateMove),
        createPass(deals, engine, rules.deals, forecastMove),
      ],
    },
  }
}

function composeRecords(engine: Engine, rules: Rules, turns: ExportTurns) {
  // Not spread: the declaration files keep the doc comments of an intersection only.
  return {
    activities: Object.assign(
      activityApi(engine),
      batchApi(activities, engine),
      exportApi(activities, engine, turns),
    ),
    companies: Object.assign(
      recordApi(companies, engine, rules.companies),
      Object.assign(
        upsertApi('companies', companies, engine, rules.companies),
        batchApi(companies, engine, rules.companies),
        exportApi(companies, engine, turns),
        shareApi(companies, engine, rules.companies),
      ),
      membershipApi(companies, engine, rules.companies),
      timelineApi('companies', engine),
    ),
    custom_fields: recordApi(customFields, engine),
    deals: Object.assign(
      recordApi(deals, engine, rules.deals),
      Object.assign(
        upsertApi('deals', deals, engine, rules.deals),
        batchApi(deals, engine, rules.deals),
        exportApi(deals, engine, turns),
        shareApi(deals, engine, rules.deals),
      ),
      membershipApi(deals, engine, rules.deals),
      timelineApi('deals', engine),
    ),
    lists: Object.assign(recordApi(lists, engine), batchApi(lists, engine)),
    people: Object.assign(
      recordApi(people, engine, rules.people),
      Object.assign(
        upsertApi('people', people, engine, rules.people),
        batchApi(people, engine, rules.people),
        exportApi(people, engine, turns),
        shareApi(people, engine, rules.people),
      ),
      membershipApi(people, engine, rules.people),
      timelineApi('people', engine),
    ),
    pipelines: Object.assign(recordApi(pipelines, engine), boardApi(engine)),
    products: Object.assign(
      recordApi(products, engine),
      upsertApi('products', products, engine),
      batchApi(products, engine),
      exportApi(products, engine, turns),
    ),
    tags: Object.assign(tagApi(engine), batchApi(tags, engine, undefined, findTagId)),
    task_types: recordApi(taskTypes, engine),
    tasks: Object.assign(
      recordApi(tasks, engine, rules.tasks),
      batchApi(tasks, engine, rules.tasks),
      shareApi(tasks, engine, rules.tasks),
      exportApi(tasks, engine, turns),
    ),
    teams: recordApi(teams, engine),
  }
}

/** The ports and what features add to every kind of record. */
export function createEngine(ports: Ports): Engine {
  return {
    ...ports,
    prepareEvents,
    createIdempotently: (request, create) => createIdempotently(ports, request, create),
  }
}
