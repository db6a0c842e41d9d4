import { acquireProcessLock } from '../src/index.ts'

acquireProcessLock(process.argv[2]!)
globalThis.gc?.()
process.stdout.write('held\n')
setInterval(() => {}, 60_000)
