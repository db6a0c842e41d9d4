import { assertBuildable, findCurrentBuild } from '../../console/build-console.ts'
import { loadConsoleFiles } from '../../console/console-files.ts'
import type { Settings } from '../../process/settings.ts'
import type { CheckResult } from './check.ts'

/** Builds nothing: the service may not be allowed to either. */
export async function checkConsole({ console: isServed }: Pick<Settings, 'console'>): Promise<CheckResult> {
  if (!isServed) return ['ok', 'not served, since CONSOLE=false']
  if ((await findCurrentBuild()) === undefined) {
    await assertBuildable()
    return ['warn', 'not built for this version. The next start does it, or: npm run build:console']
  }
  await loadConsoleFiles()
  return ['ok', 'built from the sources of this version']
}
