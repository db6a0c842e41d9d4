import { threadedSender } from '../../../src/index.ts'

// A program that makes one delivery and ends by having nothing more to do. It prints how many threads there were before, and are now.
const threads = () => (process.report.getReport() as { readonly workers: readonly unknown[] }).workers.length
const sender = threadedSender({ timeoutMs: 20_000, outbound: { allowPrivate: true } })
const before = threads()
const alive = setInterval(() => {}, 1000)
const { error } = await sender.send({ url: 'https://127.0.0.1:1/', body: '{}', signature: undefined })
clearInterval(alive)
console.log(JSON.stringify([before, error, threads()]))
