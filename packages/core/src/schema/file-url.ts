/** @param address base URL of the service, without a trailing slash */
export function fileUrl(address: string, workspaceId: string, key: string): string {
  return `${address}/files/${workspaceId}/${key}`
}
