import { parseArgs } from 'node:util'
import type { DatabaseName } from '../../bench/databases.ts'
import { readOptionsOrExit, runProgram } from '../../bench/program.ts'
import { withEnvironment } from './environment.ts'
import type { Effort } from './fault.ts'
import { FAULTS } from './faults.ts'
import { skipReason } from './skip-reason.ts'

const USAGE = `npm run faults -- [--only sqlite|postgres] [--fault NAME] [--brief]
Faults: ${FAULTS.map(({ name }) => name).join(', ')}`

await runProgram(main)

/**
 * Runs the selected faults and prints a summary line of each.
 * @returns false if a guarantee was broken
 */
async function main(): Promise<boolean> {
  const { only, fault: selectedName, effort } = options()
  let hasPassed = true
  for (const fault of FAULTS.filter(({ name }) => selectedName === undefined || name === selectedName)) {
    for (const database of fault.databases.filter((name) => only === undefined || name === only)) {
      const startedAt = performance.now()
      const summary = skipReason(fault)
        ? undefined
        : await withEnvironment(database, (environment) => fault.run(environment, effort)).catch(
            (error: unknown) => {
              hasPassed = false
              return `FAILED: ${error instanceof Error ? error.message : error}`
            },
          )
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
      console.log(
        `${fault.title}, ${database}, ${seconds} s: ${summary ?? `skipped: ${skipReason(fault) ?? 'npm has no PostgreSQL for this machine'}`}`,
      )
    }
  }
  return hasPassed
}

function options(): { readonly only?: DatabaseName; readonly fault?: string; readonly effort: Effort } {
  return readOptionsOrExit(USAGE, () => {
    const { values } = parseArgs({
      options: { only: { type: 'string' }, fault: { type: 'string' }, brief: { type: 'boolean' } },
    })
    if (values.only !== undefined && values.only !== 'sqlite' && values.only !== 'postgres')
      throw new Error(`--only must be sqlite or postgres, and is ${values.only}.`)
    if (values.fault !== undefined && !FAULTS.some(({ name }) => name === values.fault))
      throw new Error(`There is no fault named ${values.fault}.`)
    return {
      ...(values.only !== undefined && { only: values.only }),
      ...(values.fault !== undefined && { fault: values.fault }),
      effort: values.brief ? 'brief' : 'thorough',
    }
  })
}
