import { recordApi } from './engine/crud.ts'
import type { Engine } from './engine/extension.ts'
import type { Rules } from './engine/rules.ts'
import { activities } from './features/activities/activity.ts'
import { activityApi } from './features/activities/activity-api.ts'
import { membershipApi } from './features/associations/change-memberships.ts'
import { batchApi } from './features/batch/batch-api.ts'
import { boardApi } from './features/board/board-api.ts'
import { bulkRunRules } from './features/bulk-changes/change-records.ts'
import { companies } from './features/companies/company.ts'
import { customFields } from './features/custom-fields/custom-field.ts'
import { lineItemApi } from './features/deal-items/line-item-api.ts'
import { deals } from './features/deals/deal.ts'
import { exportApi } from './features/exports/export-api.ts'
import type { ExportTurns } from './features/exports/export-turns.ts'
import { lists } from './features/lists/list.ts'
import { lostReasons } from './features/lost-reasons/lost-reason.ts'
import { lockSuccessor, ownerChange } from './features/members/reassignment.ts'
import { followApi } from './features/notifications/follow-api.ts'
import { offerApi } from './features/offers/offer-api.ts'
import { people } from './features/people/person.ts'
import { pipelines } from './features/pipelines/pipeline.ts'
import { products } from './features/products/product.ts'
import { createPass, type RunRules } from './features/runs/run-rules.ts'
import { shareApi } from './features/shares/share-api.ts'
import { findTagId, tags } from './features/tags/tag.ts'
import { tagApi } from './features/tags/tag-api.ts'
import { targets } from './features/targets/target.ts'
import { taskTypes } from './features/task-types/task-type.ts'
import { tasks } from './features/tasks/task.ts'
import { teams } from './features/teams/team.ts'
import { timelineApi } from './features/timeline/timeline-api.ts'
import { upsertApi } from './features/upsert/upsert-api.ts'
import { viewApi } from './features/views/view-api.ts'
import { dueDateMove, forecastMove } from './features/workspaces/time-zone-change.ts'

/** What the long work of a workspace does to its records. */
export function composeRunRules(engine: Engine, rules: Rules): RunRules {
  return {
    ...bulkRunRules(engine, rules),
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

/** The API of each kind of record, with what its features add. */
export function composeRecords(engine: Engine, rules: Rules, turns: ExportTurns) {
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
        Object.assign(
          shareApi('companies', companies, engine, rules.companies),
          followApi(companies, engine),
        ),
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
        Object.assign(shareApi('deals', deals, engine, rules.deals), followApi(deals, engine)),
      ),
      membershipApi(deals, engine, rules.deals),
      Object.assign(timelineApi('deals', engine), {
        /** What a deal sells, line by line. */
        items: lineItemApi(deals, engine, rules.deals),
        /** What was offered, as documents with links for customers. */
        offers: offerApi(deals, engine),
      }),
    ),
    lists: Object.assign(recordApi(lists, engine), batchApi(lists, engine)),
    lost_reasons: recordApi(lostReasons, engine),
    people: Object.assign(
      recordApi(people, engine, rules.people),
      Object.assign(
        upsertApi('people', people, engine, rules.people),
        batchApi(people, engine, rules.people),
        exportApi(people, engine, turns),
        Object.assign(shareApi('people', people, engine, rules.people), followApi(people, engine)),
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
    targets: recordApi(targets, engine),
    task_types: recordApi(taskTypes, engine),
    tasks: Object.assign(
      recordApi(tasks, engine, rules.tasks),
      batchApi(tasks, engine, rules.tasks),
      Object.assign(shareApi('tasks', tasks, engine, rules.tasks), followApi(tasks, engine)),
      exportApi(tasks, engine, turns),
    ),
    teams: recordApi(teams, engine),
    views: viewApi(engine),
  }
}
