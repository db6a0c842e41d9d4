import { connect, createServer, type Server, type Socket } from 'node:net'

/** Starts a TCP proxy that can be disconnected and reconnected, to simulate a network or machine failure. */
export async function startProxy(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const connections = new Map<Socket, Socket>()
  let trigger: { readonly text: string; readonly notify: () => void } | undefined
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    connections.set(upstream, client)
    client.pipe(upstream).pipe(client)
    client.on('data', (data) => {
      if (!trigger || !data.includes(trigger.text)) return
      upstream.unpipe(client)
      trigger.notify()
      trigger = undefined
    })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        connections.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
  })
  const port = await listen(server, 0)
  const proxyUrl = new URL(url)
  proxyUrl.port = String(port)
  return {
    url: proxyUrl.href,
    async disconnect() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
    reconnect: () => listen(server, port),
    /** Drops further responses on the current connections, which stay open. */
    mute() {
      for (const [upstream, client] of connections) upstream.unpipe(client)
    },
    /** Mutes the next connection that sends `text`. Resolves when it does. */
    muteAt(text: string): Promise<void> {
      return new Promise((notify) => {
        trigger = { text, notify }
      })
    },
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve) =>
    server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
}
