import { parentPort } from 'node:worker_threads'
import { serveTasks } from '@sales-crm/node'
import { parseJson } from './parse-json.ts'

export const JSON_TASKS = { parseJson }

// The entry point of the thread that `json-body.ts` starts.
if (parentPort) serveTasks(parentPort, JSON_TASKS)
