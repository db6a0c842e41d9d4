import { holdForServing } from '../src/index.ts'

holdForServing(process.argv[2]!)
process.stdout.write('held\n')
setInterval(() => {}, 60_000)
