import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const PACKAGE = join(import.meta.dirname, '../..')
const SCRIPT = 'test/support/runtime-script.ts'

/** Starts the script in a worker of workerd, and returns the URL that runs it. */
export async function startWorker(args: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-client-worker-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const modules = [...globSync('src/**/*.ts', { cwd: PACKAGE }), SCRIPT]
  for (const module of modules) {
    cpSync(join(PACKAGE, module), join(folder, module))
    writeFileSync(join(folder, module), stripTypeScriptTypes(readFileSync(join(PACKAGE, module), 'utf8')))
  }
  const source = `import { useClient } from './${SCRIPT}'
export default { fetch: async () => Response.json(await useClient(...${JSON.stringify(args)})) }`
  writeFileSync(join(folder, 'worker.js'), source)
  writeFileSync(join(folder, 'config.capnp'), configOf(['worker.js', ...modules]))
  const workerd = spawn('workerd', ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  onTestFinished(() => void workerd.kill())
  const [message] = await once(workerd.stdio[3]!, 'data')
  return `http://127.0.0.1:${JSON.parse(String(message)).port}`
}

/** The first module is the worker. */
function configOf(modules: readonly string[]): string {
  const list = modules.map((name) => `(name = "${name}", esModule = embed "${name}")`)
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["private"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (modules = [${list.join(', ')}], compatibilityDate = "2026-11-01");
`
}
