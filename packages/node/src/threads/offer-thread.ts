import { parentPort } from 'node:worker_threads'
import { drawOffer } from '../offers/draw-offer.ts'
import { serveTasks } from './task-thread.ts'

// The entry point of the thread that `offer-printer.ts` starts.
serveTasks(parentPort!, { drawOffer })
