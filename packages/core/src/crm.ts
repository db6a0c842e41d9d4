import { accountApi } from './accounts/account-api.ts'
import { activityApi } from './activities/activity-api.ts'
import { type Actor, SCOPES } from './actor.ts'
import { companies } from './companies/company.ts'
import { customFieldApi } from './custom-fields/custom-field-api.ts'
import { deals } from './deals/deal.ts'
import { notFound } from './errors.ts'
import { fileApi } from './files/file-api.ts'
import type { Letter } from './letters/letter.ts'
import { sendLetters } from './letters/outbox.ts'
import { countLasting } from './limits/count-lasting.ts'
import { lists } from './lists/list.ts'
import { actorFor } from './members/actor-for.ts'
import { memberApi } from './members/member-api.ts'
import { membersOf } from './members/members-of.ts'
import { addMember, removeMember } from './members/membership.ts'
import { allApps } from './oauth/all-apps.ts'
import { createApp } from './oauth/create-app.ts'
import { createToken } from './oauth/create-token.ts'
import { type Enter, enterWith } from './oauth/enter.ts'
import { oauthApi } from './oauth/oauth-api.ts'
import { accessTokens } from './oauth/tokens.ts'
import { people } from './people/person.ts'
import { pipelineApi } from './pipelines/pipeline-api.ts'
import type { Counter, Gate, Ports } from './ports.ts'
import { productApi } from './products/product-api.ts'
import { membershipApi } from './records/memberships.ts'
import { recordApi } from './records/records.ts'
import { reportApi } from './reports/report-api.ts'
import { tagApi } from './tags/tag-api.ts'
import { taskTypes } from './task-types/task-type.ts'
import { tasks } from './tasks/task.ts'
import { tidy } from './tidy.ts'
import { usageApi } from './usage/usage-api.ts'
import { backlogOf } from './webhooks/backlog.ts'
import { type DeliveryPolicy, deliverWith } from './webhooks/delivering.ts'
import { webhookApi } from './webhooks/webhook-api.ts'
import { allWorkspaces } from './workspaces/all-workspaces.ts'
import { createWorkspace } from './workspaces/create-workspace.ts'
import { type WorkspaceView, workspaceView } from './workspaces/workspace.ts'

export type Crm = ReturnType<typeof createCrm>

type InputOf<F> = F extends (ports: Ports, input: infer I) => unknown ? I : never

/** The CRM: use-cases that take an actor, and the operator's, which ask for none and are for trusted code alone. */
export function createCrm(ports: Ports) {
  const tokens = accessTokens(ports)
  return {
    /** For people who signed in themselves, not through an app. */
    accounts: accountApi(ports),
    activities: activityApi(ports),
    companies: { ...recordApi(companies, ports), ...membershipApi(companies, ports) },
    customFields: customFieldApi(ports),
    deals: { ...recordApi(deals, ports), ...membershipApi(deals, ports) },
    files: fileApi(ports),
    letters: {
      /** To be called every second: sends what is due, a few at a time, and says what became of each. Several processes may do so at once. */
      send: (send: (letter: Letter) => Promise<void>, goOn?: () => boolean) => sendLetters(ports, send, goOn),
    },
    lists: recordApi(lists, ports),
    members: memberApi(ports),
    /** The authorization server: how apps are let in. */
    oauth: oauthApi(ports, tokens),
    people: { ...recordApi(people, ports), ...membershipApi(people, ports) },
    pipelines: pipelineApi(ports),
    products: productApi(ports),
    /** What only reads, over many records: the course of things, totals, and how a pipeline stands. */
    reports: reportApi(ports),
    tags: tagApi(ports),
    taskTypes: recordApi(taskTypes, ports),
    tasks: recordApi(tasks, ports),
    /** How often each app calls. */
    usage: usageApi(ports),
    webhooks: webhookApi(ports),
    workspace: {
      /** The actor's own workspace; any scope will do. */
      async get(actor: Actor): Promise<WorkspaceView> {
        const workspace = await ports.storage.read((tx) => tx.workspaces.get(actor.workspaceId))
        if (!workspace) throw notFound('Workspace')
        return workspaceView(workspace)
      },
    },
    /** The sending side of webhooks, for a worker. */
    deliverWith: (policy: DeliveryPolicy) => deliverWith(ports, policy),
    /** How a call with a bearer token gets its actor. */
    enterThrough: (gate: Gate): Enter => enterWith(tokens, gate),
    /** Counts a call in a window that outlives the process. */
    countLasting: (counter: Counter) => countLasting(ports, counter),
    /** What is to be done every few minutes, until it gives 0: how many records were past their time, and forgotten. */
    tidy: () => tidy(ports),
    operator: {
      allWorkspaces: () => allWorkspaces(ports),
      membersOf: (workspace: Parameters<typeof membersOf>[1]) => membersOf(ports, workspace),
      allApps: () => allApps(ports),
      createWorkspace: (input: InputOf<typeof createWorkspace>) => createWorkspace(ports, input),
      addMember: (input: InputOf<typeof addMember>) => addMember(ports, input),
      removeMember: (input: InputOf<typeof removeMember>) => removeMember(ports, input),
      createApp: (input: InputOf<typeof createApp>) => createApp(ports, input),
      createToken: (input: Parameters<typeof createToken>[2]) => createToken(ports, tokens, input),
      actorFor: (who: Parameters<typeof actorFor>[1]) => actorFor(ports, who),
      rotateKey: () => tokens.rotateKey(),
      /** What waits to be delivered. */
      backlog: () => backlogOf(ports),
      scopes: SCOPES,
    },
  }
}
