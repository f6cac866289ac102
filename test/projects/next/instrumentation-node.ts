import { media } from './media'

const { service } = media()
service.start() // unfinished jobs continue before the first request arrives

// Next's own listener would end the process as soon as no connection is open, although submits that cost money are under way.
process.removeAllListeners('SIGTERM').once('SIGTERM', async () => {
  await service.close() // answers the requests that wait
  setTimeout(() => process.exit(), 500) // Next would wait for connections that clients keep open
})
