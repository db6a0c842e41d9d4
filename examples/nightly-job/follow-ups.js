import { CrmApiError, CrmConnectionError } from '@sales-crm/client'

const MAX_ATTEMPTS = 5

/**
 * Creates a task for each open deal that is older than `since`, an instant, and has had no activity since. A deal
 * that has an open task, or one created since then, gets none: running it again creates nothing twice.
 * @returns the number of created tasks
 */
export async function createFollowUps(crm, { since, due_date }) {
  let count = 0
  for await (const deal of crm.deals.list({ status: 'open', order: 'asc' })) {
    if (deal.created_at >= since || (await hasActivity(crm, deal, since))) continue
    if (await createTaskOnce(crm, deal, since, due_date)) count += 1
  }
  return count
}

async function hasActivity(crm, { id }, since) {
  const page = await crm.activities.list({ entity: 'deals', id, created_after: since, per_page: 1 })
  return page.meta.total > 0
}

/**
 * The service accepts no idempotency key for tasks, so the client does not repeat a call whose response was
 * lost. The job looks whether the task exists, and creates it if it does not.
 */
async function createTaskOnce(crm, deal, since, due_date) {
  for (let attempt = 1; ; attempt += 1) {
    if (await hasTask(crm, deal, since)) return attempt > 1
    try {
      await crm.tasks.create({
        title: `Follow up on ${deal.name}`,
        deal_id: deal.id,
        due_date,
        owner_user_id: deal.owner?.id ?? null,
      })
      return true
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isOutcomeUnknown(error)) throw error
    }
  }
}

async function hasTask(crm, { id }, since) {
  for await (const task of crm.tasks.list({ deal_id: id }))
    if (!task.completed || task.created_at >= since) return true
  return false
}

function isOutcomeUnknown(error) {
  return error instanceof CrmConnectionError || (error instanceof CrmApiError && error.status >= 500)
}
