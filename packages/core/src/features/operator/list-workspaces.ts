import type { Ports } from '../../ports/index.ts'
import type { Workspace } from '../../schema/workspace.ts'
import { toWorkspaceView, type WorkspaceView } from '../workspaces/workspace.ts'

/** A workspace, as `operator.allWorkspaces` returns it. */
export type WorkspaceListItem = WorkspaceView & Pick<Workspace, 'created_at'>

/** Lists all workspaces of the installation in the order of creation. */
export async function listWorkspaces({ storage }: Pick<Ports, 'storage'>): Promise<WorkspaceListItem[]> {
  const workspaces = await storage.read((tx) => tx.workspaces.find([]))
  return workspaces.map((workspace) => ({ ...toWorkspaceView(workspace), created_at: workspace.created_at }))
}
