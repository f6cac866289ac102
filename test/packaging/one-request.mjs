// An app that uses only published packages: it makes one image and fetches the file.
import { createServer } from 'node:http'
import { createGenerationService } from '@genmount/core'
import { toNodeHandler } from '@genmount/node-http'
import { proceduralProvider } from '@genmount/provider-procedural'
import { apiKeys } from '@genmount/v1-interface'

const log = { warn() {}, error: console.error }
const service = createGenerationService({ providers: [proceduralProvider()], log })
const handler = toNodeHandler(service, { authenticate: apiKeys({ alice: 'key-of-alice' }) })
const server = createServer(handler).listen(0, '127.0.0.1', async () => {
  const base = `http://127.0.0.1:${server.address().port}`
  const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }
  const body = JSON.stringify({
    model: 'procedural-image',
    prompt: 'a lighthouse at dawn',
    resolution: '480p',
  })
  const created = await fetch(`${base}/v1/generate?wait=true`, { method: 'POST', headers, body })
  const job = await created.json()
  const file = await fetch(job.data[0].url, { headers })
  await file.arrayBuffer()
  console.log(
    JSON.stringify({ status: created.status, job: job.status, file: file.headers.get('content-type') }),
  )
  await service.close()
  server.close()
})
