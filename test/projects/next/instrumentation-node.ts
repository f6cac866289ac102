import { media } from './media'

const { service } = media()
service.start() // unfinished jobs continue before the first request arrives

process.once('SIGTERM', async () => {
  await service.close({ timeoutMs: 8_000 }) // answers the requests that wait
  setTimeout(() => process.exit(), 500) // Next would wait for connections that clients keep open
})
