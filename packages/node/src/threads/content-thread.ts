import { parentPort } from 'node:worker_threads'
import { CONTENT_TASKS } from './content-tasks.ts'
import { serveTasks } from './task-thread.ts'

// The entry point of the thread that `content-tasks.ts` starts.
serveTasks(parentPort!, CONTENT_TASKS)
