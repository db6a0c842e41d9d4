import type { PostgresStorage } from '@sales-crm/postgres'
import { PROGRAMS } from '../../process/program-names.ts'
import type { CheckResult } from './check.ts'

/** Says whether the rows of workspaces are spread over servers, and which tables of a later version are not. */
export async function checkDistribution(
  storage: Pick<PostgresStorage, 'undistributed'>,
): Promise<CheckResult> {
  const tables = await storage.undistributed()
  if (tables.length === 0) return ['ok', 'the rows of workspaces are spread over servers']
  return [
    'warn',
    `${tables.join(', ')} ${tables.length === 1 ? 'is' : 'are'} on one server, while other tables are spread over several. Run ${PROGRAMS.operate} migrate --distribute`,
  ]
}
