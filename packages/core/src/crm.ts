import { assertCrmOptions, assertPorts, type CrmOptions } from './crm-options.ts'
import { recordApi } from './engine/crud.ts'
import type { Engine, Extension, RecordRule } from './engine/extension.ts'
import { accountApi } from './features/accounts/account-api.ts'
import { activityApi } from './features/activities/activity-api.ts'
import { associations } from './features/associations/associations.ts'
import { membershipApi } from './features/associations/change-memberships.ts'
import { boardApi } from './features/board/board-api.ts'
import { companies } from './features/companies/company.ts'
import { customFieldApi } from './features/custom-fields/custom-field-api.ts'
import { deals } from './features/deals/deal.ts'
import { dealApi } from './features/deals/deal-api.ts'
import { dealLink } from './features/deals/link-deals.ts'
import { stageMoves } from './features/deals/stage-move.ts'
import { fileApi } from './features/files/file-api.ts'
import { createIdempotently } from './features/idempotency/idempotent-create.ts'
import { lists } from './features/lists/list.ts'
import { sendDueMail } from './features/mail/mail-queue.ts'
import type { OutgoingMail } from './features/mail/outgoing-mail.ts'
import { memberApi } from './features/members/member-api.ts'
import { workspaceMembersApi } from './features/members/workspace-members-api.ts'
import { connectedAppsApi } from './features/oauth/grants/connected-apps.ts'
import { createApp } from './features/oauth/server/create-app.ts'
import { oauthApi } from './features/oauth/server/oauth-api.ts'
import { sessionTokenApi } from './features/oauth/session-tokens/session-tokens.ts'
import { accessTokens } from './features/oauth/tokens/access-tokens.ts'
import { type Authenticate, createAuthenticator } from './features/oauth/tokens/authenticate.ts'
import { addMember } from './features/operator/add-member.ts'
import { createToken } from './features/operator/create-token.ts'
import { createWorkspace } from './features/operator/create-workspace.ts'
import { listApps } from './features/operator/list-apps.ts'
import { listMembers } from './features/operator/list-members.ts'
import { listWorkspaces } from './features/operator/list-workspaces.ts'
import { loadActor } from './features/operator/load-actor.ts'
import { removeMember } from './features/operator/remove-member.ts'
import { resealSecrets } from './features/operator/reseal-secrets.ts'
import { updateMember } from './features/operator/update-member.ts'
import { updateWorkspace } from './features/operator/update-workspace.ts'
import { people } from './features/people/person.ts'
import { pipelineApi } from './features/pipelines/pipeline-api.ts'
import { productApi } from './features/products/product-api.ts'
import { countPersistentRateLimit } from './features/rate-limits/persistent-rate-limit.ts'
import { reportApi } from './features/reports/report-api.ts'
import { deleteExpired } from './features/retention/delete-expired.ts'
import { type SearchQuery, type SearchResults, searchRecords } from './features/search/search-records.ts'
import { setupApi } from './features/setup/setup-api.ts'
import { tagApi } from './features/tags/tag-api.ts'
import { taskTypes } from './features/task-types/task-type.ts'
import { tasks } from './features/tasks/task.ts'
import { timelineApi } from './features/timeline/timeline-api.ts'
import { usageApi } from './features/usage/usage-api.ts'
import { loadBacklog } from './features/webhooks/backlog.ts'
import { deliveryApi } from './features/webhooks/delivery-api.ts'
import type { DeliveryPolicy } from './features/webhooks/delivery-types.ts'
import { prepareEvents } from './features/webhooks/emit-events.ts'
import { webhookApi } from './features/webhooks/webhook-api.ts'
import { workspaceApi } from './features/workspaces/workspace-api.ts'
import { type Actor, SCOPES } from './kernel/actor.ts'
import type { RateLimit } from './kernel/rate-limit.ts'
import type { RecordBase } from './kernel/record.ts'
import type { AccessGate } from './ports/access-gate.ts'
import type { Ports } from './ports/index.ts'
import type { Company } from './schema/company.ts'
import type { Deal } from './schema/deal.ts'
import type { Person } from './schema/person.ts'

/** All use-cases. They take an actor, except those of `operator`, which check no permission. */
export type Crm = ReturnType<typeof composeUseCases>

type InputOf<F> = F extends (ports: Ports, input: infer I) => unknown ? I : never

/**
 * Composes the use-cases. All take an actor, except `operator`: those check no permission and are for trusted
 * code only.
 * @throws TypeError that names a wrong option
 */
export function createCrm(ports: Ports, options: CrmOptions = {}): Crm {
  assertPorts(ports)
  assertCrmOptions(options)
  const crm = composeUseCases(ports, options)
  portsByCrm.set(crm, ports)
  return crm
}

/** The table of contents of the core; longer than a screen, because each entry has its comment for editors. */
function composeUseCases(ports: Ports, { rules = {} }: CrmOptions) {
  const tokens = accessTokens(ports)
  const engine = createEngine(ports)
  const records = composeAssociatedRecords(ports, engine, rules)
  const productsApi = productApi(engine)
  return {
    /** For people who signed in with a browser. */
    accounts: Object.assign(
      accountApi(ports),
      connectedAppsApi(ports),
      workspaceMembersApi(ports),
      sessionTokenApi(ports, tokens),
    ),
    /** Notes on people, companies and deals, with attachments. */
    activities: activityApi(engine),
    /** Companies, their tags and lists. */
    companies: records.companies,
    /** Fields that a workspace adds to its records. */
    customFields: customFieldApi(engine),
    /** Deals in the stages of pipelines, their tags and lists. */
    deals: records.deals,
    /** The contents of attachments and images. */
    files: fileApi(ports),
    mail: {
      /**
       * Sends due mail, a few at a time, and reports each result. Call it every second; several processes
       * may.
       */
      send: (send: (mail: OutgoingMail) => Promise<void>, shouldContinue?: () => boolean) =>
        sendDueMail(ports, send, shouldContinue),
    },
    /** Lists of people, companies and deals. */
    lists: recordApi(lists, engine),
    /** Members of the actor's workspace. */
    members: memberApi(ports),
    /** The OAuth 2.1 authorization server. */
    oauth: oauthApi(ports, tokens),
    /** People, their tags and lists. */
    people: records.people,
    /** Pipelines with their stages. */
    pipelines: Object.assign(pipelineApi(engine), boardApi(ports)),
    /** Products with an image. */
    products: productsApi,
    /** Reads over many records: aggregates, pipeline report. */
    reports: reportApi(ports),
    /** The first workspace of a service. */
    setup: setupApi(ports),
    /** Tags of people, companies and deals. Every method that takes an id takes a key, too. */
    tags: tagApi(engine),
    /** Types of tasks, such as calls. */
    taskTypes: recordApi(taskTypes, engine),
    /** Tasks with a due date. */
    tasks: recordApi(tasks, engine, toExtensions(rules.tasks)),
    /** Counts the calls of each app. */
    usage: usageApi(ports),
    /** Webhooks of the actor's app, and their deliveries. */
    webhooks: webhookApi(ports),
    /** The actor's workspace. */
    workspace: workspaceApi(ports),
    /**
     * Searches people, companies, deals and products at once.
     * @throws CrmError `validation_error`, `insufficient_scope`
     */
    searchRecords: (actor: Actor, query: SearchQuery): Promise<SearchResults> =>
      searchRecords({ ...records, products: productsApi }, actor, query),
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
    operator: composeOperator(ports, tokens),
  }
}

/** The records that have tags, lists and a timeline. */
function composeAssociatedRecords(
  ports: Ports,
  engine: ReturnType<typeof createEngine>,
  rules: NonNullable<CrmOptions['rules']>,
) {
  const extensions = {
    companies: [
      associations<Company>('companies'),
      dealLink<Company>('company_id'),
      ...toExtensions(rules.companies),
    ],
    deals: [associations<Deal>('deals'), stageMoves, ...toExtensions(rules.deals)],
    people: [associations<Person>('people'), dealLink<Person>('person_id'), ...toExtensions(rules.people)],
  }
  // Not spread: the declaration files keep the doc comments of an intersection only.
  return {
    companies: Object.assign(
      recordApi(companies, engine, extensions.companies),
      membershipApi(companies, engine, extensions.companies),
      timelineApi('companies', ports),
    ),
    deals: Object.assign(
      dealApi(engine, extensions.deals),
      membershipApi(deals, engine, extensions.deals),
      timelineApi('deals', ports),
    ),
    people: Object.assign(
      recordApi(people, engine, extensions.people),
      membershipApi(people, engine, extensions.people),
      timelineApi('people', ports),
    ),
  }
}

function composeOperator(ports: Ports, tokens: ReturnType<typeof accessTokens>) {
  return {
    /** All workspaces in the order of creation. */
    allWorkspaces: () => listWorkspaces(ports),
    /** The current members of a workspace, by its slug. @throws CrmError `not_found` */
    membersOf: (workspace: Parameters<typeof listMembers>[1]) => listMembers(ports, workspace),
    /** The registered apps in the order of registration. */
    allApps: () => listApps(ports),
    /**
     * Creates a workspace with its owner and the default task types. An existing user keeps name and password.
     * @throws CrmError `validation_error`, `conflict`
     */
    createWorkspace: (input: InputOf<typeof createWorkspace>) => createWorkspace(ports, input),
    /**
     * Changes settings of a workspace, by its slug. Stored amounts are not converted.
     * @throws CrmError `validation_error`, `bad_request`, `not_found`
     */
    updateWorkspace: (input: InputOf<typeof updateWorkspace>) => updateWorkspace(ports, input),
    /** @throws CrmError `validation_error`, `not_found`, `conflict` for a current member */
    addMember: (input: InputOf<typeof addMember>) => addMember(ports, input),
    /** Changes the role of a member. @throws CrmError `not_found`, `validation_error`, also for the last owner */
    updateMember: (input: InputOf<typeof updateMember>) => updateMember(ports, input),
    /** Ends the membership and every access that the member granted. @throws CrmError `not_found`, `validation_error` */
    removeMember: (input: InputOf<typeof removeMember>) => removeMember(ports, input),
    /** Registers an app that is active at once, and returns its secret. @throws CrmError `validation_error` */
    createApp: (input: InputOf<typeof createApp>) => createApp(ports, input),
    /**
     * Stores a grant as if the user had approved it, and returns its tokens. Default: all scopes of the app.
     * @throws CrmError `validation_error`, `not_found`
     */
    createToken: (input: Parameters<typeof createToken>[2]) => createToken(ports, tokens, input),
    /**
     * The actor of a member with the current role. Default: all scopes, client id `embedded`.
     * @throws CrmError `not_found`
     */
    actorFor: (input: Parameters<typeof loadActor>[1]) => loadActor(ports, input),
    /** Signs new tokens with a new key. Issued tokens stay valid. */
    rotateKey: () => tokens.rotateKey(),
    /** Seals everything that is sealed under the previous secret key under the present one. */
    resealSecrets: (present: Parameters<typeof resealSecrets>[1]) => resealSecrets(ports, present),
    /** Pending deliveries of all workspaces. */
    backlog: () => loadBacklog(ports),
    /** All scopes. */
    scopes: SCOPES,
  }
}

function toExtensions<R extends RecordBase>(rules: readonly RecordRule<R>[] = []): readonly Extension<R>[] {
  return rules.map((check) => ({ check }))
}

const portsByCrm = new WeakMap<object, Ports>()

/** The ports that `createCrm` made this of; undefined for another object, also if it was made of one. */
export function portsOf(crm: object): Ports | undefined {
  return portsByCrm.get(crm)
}

/** The ports and what features add to every kind of record. */
export function createEngine(ports: Ports): Engine {
  return {
    ...ports,
    prepareEvents,
    createIdempotently: (request, create) => createIdempotently(ports, request, create),
  }
}
