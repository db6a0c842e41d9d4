import { holdForServing } from '../src/index.ts'

holdForServing(process.argv[2]!)
globalThis.gc?.()
process.stdout.write('held\n')
setInterval(() => {}, 60_000)
