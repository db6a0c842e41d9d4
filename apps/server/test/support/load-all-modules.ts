import { registerHooks } from 'node:module'

/**
 * Prints the URL and format of every module the service can load. With `hooked`, modules are loaded with the
 * loader hook of `main.ts`.
 */
const loadedModules: (string | null | undefined)[][] = []
registerHooks({
  load(url, context, next) {
    const result = next(url, context)
    if (url.startsWith('file:')) loadedModules.push([url, result.format])
    return result
  },
})

if (process.argv[2] === 'hooked') (await import('../../src/process/module-loading.ts')).speedUpModuleLoading()
const [before, files] = [
  loadedModules.length,
  [
    'process/start',
    'mcp/tool-call',
    'mcp/mcp-server',
    'docs/docs-pages',
    'background/mail/render-mail',
    'openapi/document',
  ],
]
for (const file of files) await import(new URL(`../../src/${file}.ts`, import.meta.url).href)
for (const name of ['@sales-crm/sqlite', '@sales-crm/postgres']) await import(name)
console.log(JSON.stringify(loadedModules.slice(before).sort()))
