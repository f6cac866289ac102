/** A service on the file it is given, as an app would mount it. Prints where it listens, and closes when it is told to. */
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeProvider, quietLog } from '@genmount/testing'

const [, , file = '', aliceKey = ''] = process.argv
const service = createGenerationService({
  providers: [fakeProvider({ behave: () => ({ delayMs: 300 }) })],
  backend: sqliteBackend({ file }),
  log: quietLog(),
})
service.start()
const server = createServer(toNodeHandler(service, { authenticate: apiKeys({ alice: aliceKey }) }))
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))

for await (const command of createInterface({ input: process.stdin })) {
  if (command !== 'close') continue
  await service.close()
  console.log('closed')
}
process.exit()
