import type { Tool } from './tool.ts'
import { changeMemberships } from './tools/change-memberships.ts'
import { createRecords } from './tools/create-records.ts'
import { deleteRecords } from './tools/delete-records.ts'
import { describeSchema } from './tools/describe-schema.ts'
import { getContext } from './tools/get-context.ts'
import { getRecords } from './tools/get-records.ts'
import { listRecords } from './tools/list-records.ts'
import { logActivity } from './tools/log-activity.ts'
import { manageTask } from './tools/manage-task.ts'
import { moveDeal } from './tools/move-deal.ts'
import { aggregate, getTimeline, pipelineReport } from './tools/reports.ts'
import { search } from './tools/search.ts'
import { updateRecords } from './tools/update-records.ts'
import { upsertRecords } from './tools/upsert-records.ts'

/** All tools in listing order. Clients cache the list, and models read it with each call. */
export const TOOLS: readonly Tool[] = [
  getContext,
  describeSchema,
  search,
  listRecords,
  getRecords,
  getTimeline,
  aggregate,
  pipelineReport,
  createRecords,
  updateRecords,
  upsertRecords,
  moveDeal,
  logActivity,
  manageTask,
  changeMemberships,
  deleteRecords,
]

const TOOLS_BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]))

export function findTool(name: unknown): Tool | undefined {
  return typeof name === 'string' ? TOOLS_BY_NAME.get(name) : undefined
}
