import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { foundVendors, refusedKeys, vendorVariables } from '@genmount/cli'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'

function exit(problem: string): never {
  console.error(problem)
  process.exit(1)
}

const key = process.env['CLIENT_KEY'] || exit('Set CLIENT_KEY to the key that clients are to use.')
const vendors = await foundVendors(process.env).catch((error: Error) => exit(error.message))
if (vendors.models.length === 0) exit(`Set at least one of ${vendorVariables.join(', ')}.`)

const service = createGenerationService({
  providers: vendors.models,
  // Jobs cost money from here on: they outlive the process.
  backend: sqliteBackend({ file: process.env['JOBS_FILE'] ?? 'jobs.db' }),
})

// An error that names what is missing ends the process before it listens.
await service.ready()

const server = createServer(toNodeHandler(service, { authenticate: apiKeys({ app: key }) }))
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  service.start()
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const body = JSON.stringify({ model: service.models[0]?.id, prompt: 'a lighthouse at dawn' })
  console.log(`It listens on ${address}`)
  console.log(vendors.lines.join('\n'))
  console.log(
    `Try it: curl -X POST '${address}/v1/generate?wait=true' -H "Authorization: Bearer $CLIENT_KEY" -H 'Content-Type: application/json' -d '${body}'`,
  )
  // Not awaited, because a vendor that does not answer must not hold up the others.
  void refusedKeys(process.env, vendors.variables).then((lines) =>
    lines.forEach((line) => console.error(line)),
  )
})

async function stop() {
  // A second signal ends the process at once. npm sends the first one twice.
  setTimeout(() => process.off('SIGTERM', stop).off('SIGINT', stop), 300).unref()
  // Answers to submits are paid for, so it waits for them. Meanwhile the server answers: 503 to creates, the job to reads,
  // and 202 to those who wait.
  await service.close()
  // Downloads under way get seven seconds.
  setTimeout(() => process.exit(), 7000).unref()
  server.close()
}
process.on('SIGTERM', stop).on('SIGINT', stop)
