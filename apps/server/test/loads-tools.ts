import { registerHooks } from 'node:module'

/** Says which packages were loaded when the service could answer, and which more once a tool had been called. */
const loaded = new Set<string>()
registerHooks({
  load(url, context, next) {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(url) ?? []
    if (name !== undefined) loaded.add(name)
    return next(url, context)
  },
})

const { memoryStorage } = await import('@sales-crm/core/memory')
const { openService, openWorkspace } = await import('./harness.ts')
const { rpc } = await import('./mcp.ts')
await import('../src/start.ts')
const { app, ...service } = await openService(memoryStorage())
const { token } = await openWorkspace({ app, ...service })
const before = [...loaded]
const { status } = await rpc(app, token, 'tools/list')
console.log(JSON.stringify({ before, status, after: [...loaded] }))
