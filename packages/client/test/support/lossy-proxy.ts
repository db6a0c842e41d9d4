import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Forwards connections to a port. It can lose responses: the service receives and executes the request, and
 * the connection of the client is cut when the response arrives.
 */
export async function openLossyProxy(targetPort: number) {
  const sockets = new Set<Socket>()
  let responsesToLose = 0
  let lostResponses = 0
  let beforeCut: () => Promise<void> = async () => {}
  const server = createServer((client) => {
    const service = connect(targetPort, '127.0.0.1')
    for (const socket of [client, service]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.pipe(service)
    service.on('data', (chunk) => {
      if (responsesToLose === 0) return void client.write(chunk)
      responsesToLose -= 1
      lostResponses += 1
      service.removeAllListeners('close').destroy()
      void beforeCut().finally(() => client.destroy())
    })
    service.on('close', () => client.destroy())
    client.on('close', () => service.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** @param work done after the service has executed a call, and before its client notices */
    loseResponses(count: number, work = async () => {}): void {
      responsesToLose = count
      beforeCut = work
    },
    lostResponses: () => lostResponses,
  }
}
