import { parseArgs } from 'node:util'
import { optionsOr, runProgram } from '../../bench/program.ts'
import type { DatabaseName } from '../../bench/rows.ts'
import { withEnvironment } from './environment.ts'
import type { Effort } from './fault.ts'
import { FAULTS } from './faults.ts'
import { skipReason } from './skip-reason.ts'

const USAGE = `npm run faults -- [--only sqlite|postgres] [--fault NAME] [--brief]
Faults: ${FAULTS.map(({ name }) => name).join(', ')}`

await runProgram(main)

/** Whether every promise held. */
async function main(): Promise<boolean> {
  const { only, fault: wanted, effort } = options()
  let held = true
  for (const fault of FAULTS.filter(({ name }) => wanted === undefined || name === wanted)) {
    for (const database of fault.databases.filter((each) => only === undefined || each === only)) {
      const began = performance.now()
      const said = skipReason(fault)
        ? undefined
        : await withEnvironment(database, (place) => fault.run(place, effort)).catch((error: unknown) => {
            held = false
            return `FAILED: ${error instanceof Error ? error.message : error}`
          })
      const seconds = ((performance.now() - began) / 1000).toFixed(0)
      console.log(
        `${fault.title}, ${database}, ${seconds} s: ${said ?? `left out: ${skipReason(fault) ?? 'npm has no PostgreSQL for this machine'}`}`,
      )
    }
  }
  return held
}

function options(): { readonly only?: DatabaseName; readonly fault?: string; readonly effort: Effort } {
  return optionsOr(USAGE, () => {
    const { values } = parseArgs({
      options: { only: { type: 'string' }, fault: { type: 'string' }, brief: { type: 'boolean' } },
    })
    if (values.only !== undefined && values.only !== 'sqlite' && values.only !== 'postgres')
      throw new Error(`--only ${values.only}?`)
    if (values.fault !== undefined && !FAULTS.some(({ name }) => name === values.fault))
      throw new Error(`--fault ${values.fault}?`)
    return {
      ...(values.only !== undefined && { only: values.only }),
      ...(values.fault !== undefined && { fault: values.fault }),
      effort: values.brief ? 'brief' : 'thorough',
    }
  })
}
