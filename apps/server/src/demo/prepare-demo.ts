import { type OpenStore, openStore } from '../process/open-store.ts'
import type { Settings } from '../process/settings.ts'
import { addDemoFiles } from './demo-files.ts'
import { DEMO_OWNER } from './demo-owner.ts'
import { seed } from './seed/seed.ts'

const SLUG = 'demo'
const APP = 'Demo app'
const MEMBERS = [
  { name: 'Bruno Costa', email: 'bruno@demo.example', role: 'admin' },
  { name: 'Clara Weber', email: 'clara@demo.example', role: 'member' },
  { name: 'Diego Rocha', email: 'diego@demo.example', role: 'member' },
] as const

export interface Demo {
  readonly baseUrl: string
  readonly workspace: string
  readonly clientId: string
  /** Valid for an hour. */
  readonly token: string
  /** Instant a week from now, for listing the open tasks due until then. */
  readonly dueBefore: string
  /** Id of the most urgent of these tasks, if any. */
  readonly taskId: string | undefined
}

const WEEK_MS = 7 * 86_400_000

/**
 * Creates the demo workspace if it is missing, and always a new token. The password of its owner is public,
 * so the workspace is not created in a database that a service uses or that has other workspaces.
 * @throws Error with instructions in one line
 */
export async function prepareDemo(settings: Settings): Promise<Demo> {
  const store = await openStore(settings, { isServer: true })
  try {
    const { id, clientId } = (await findDemo(store)) ?? (await createDemo(store))
    const token = await store.crm.operator.createToken({
      workspace: SLUG,
      client_id: clientId,
      user_email: DEMO_OWNER.email,
    })
    const dueBefore = new Date(Date.parse(store.ports.now()) + WEEK_MS).toISOString()
    const taskId = await findMostUrgentTask(store, id, dueBefore)
    return {
      baseUrl: settings.baseUrl,
      workspace: SLUG,
      clientId,
      token: token.access_token,
      dueBefore,
      taskId,
    }
  } finally {
    await store.close()
  }
}

/** Finds the demo by its app, which is created last: if it exists, the demo is complete. */
async function findDemo({ storage }: OpenStore): Promise<{ id: string; clientId: string } | undefined> {
  const { workspace, app, oldestWorkspace } = await storage.read(async (tx) => {
    const [workspace] = await tx.workspaces.find([{ field: 'slug', is: SLUG }])
    const [app] = await tx.apps.find([
      { field: 'name', is: APP },
      { field: 'email', is: DEMO_OWNER.email },
    ])
    const { rows } = await tx.workspaces.list({
      page: 1,
      per_page: 1,
      order_by: 'created_at',
      order: 'asc',
      where: [],
    })
    return { workspace, app, oldestWorkspace: rows[0] }
  })
  if (!workspace && oldestWorkspace)
    throw new Error(
      `This database has workspaces of its own (${oldestWorkspace.slug}), ` +
        'and the demo has an owner whose password everybody knows. ' +
        'Set DATABASE_URL to another database, and DATA_DIR to another folder.',
    )
  if (workspace && !app)
    throw new Error('The demo workspace was left half made. Delete the database and run the demo again.')
  return workspace && app && { id: workspace.id, clientId: app.id }
}

async function createDemo({ crm, ports }: OpenStore): Promise<{ id: string; clientId: string }> {
  const { createWorkspace, addMember, createApp, scopes } = crm.operator
  const { id } = await createWorkspace({
    name: 'Demo Ltda',
    slug: SLUG,
    owner_name: DEMO_OWNER.name,
    owner_email: DEMO_OWNER.email,
    owner_password: DEMO_OWNER.password,
    locale: 'pt-BR',
    currency: 'BRL',
    time_zone: 'America/Sao_Paulo',
  })
  for (const member of MEMBERS) await addMember({ workspace: SLUG, ...member })
  await seed(ports, {
    workspace: SLUG,
    counts: { people: 60, companies: 30, deals: 60, tasks: 140, activities: 160 },
    hasMoves: true,
  })
  await addDemoFiles(crm, await crm.operator.actorFor({ workspace: SLUG, email: DEMO_OWNER.email }))
  const app = await createApp({
    name: APP,
    email: DEMO_OWNER.email,
    redirect_uris: ['http://localhost:8080/callback'],
    scopes: [...scopes],
  })
  return { id, clientId: app.client_id }
}

async function findMostUrgentTask(
  { storage }: OpenStore,
  workspaceId: string,
  dueBefore: string,
): Promise<string | undefined> {
  const { rows } = await storage.read((tx) =>
    tx.workspace(workspaceId).tasks.list({
      ...{ page: 1, per_page: 1, order_by: 'due_date', order: 'asc' },
      where: [
        { field: 'completed', is: false },
        { field: 'due_date', to: dueBefore },
      ],
    }),
  )
  return rows[0]?.id
}
