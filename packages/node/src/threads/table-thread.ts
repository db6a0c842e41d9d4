import { parentPort } from 'node:worker_threads'
import { TABLE_TASKS } from '../tables/table-tasks.ts'
import { serveTasks } from './task-thread.ts'

// The entry point of the thread that `threaded-tables.ts` starts.
serveTasks(parentPort!, TABLE_TASKS)
