import { workerData } from 'node:worker_threads'
import type { Target } from './noisy-clients.ts'
import { NOISY_LOADS } from './noisy-loads.ts'

const { name, target, seconds } = workerData as { name: string; target: Target; seconds: number }
// The signal's timer does not keep the thread alive.
const keepAlive = setInterval(() => {}, 1_000)
await NOISY_LOADS.find((load) => load.name === name)!.run(target, AbortSignal.timeout(seconds * 1000))
clearInterval(keepAlive)
