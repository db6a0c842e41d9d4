import { registerHooks } from 'node:module'

/** Prints the packages loaded when the service is ready, and those loaded after a tool was called. */
const loadedPackages = new Set<string>()
registerHooks({
  load(url, context, next) {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(url) ?? []
    if (name !== undefined) loadedPackages.add(name)
    return next(url, context)
  },
})

const { memoryStorage } = await import('@sales-crm/core/memory')
const { openService, openWorkspace } = await import('./test-service.ts')
const { sendLegacyRequest: rpc } = await import('./mcp-requests.ts')
await import('../../src/process/start.ts')
const { app, ...service } = await openService(memoryStorage())
const { token } = await openWorkspace({ app, ...service })
const before = [...loadedPackages]
const { status } = await rpc(app, token, 'tools/list')
console.log(JSON.stringify({ before, status, after: [...loadedPackages] }))
