import { createServer } from 'node:http'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, routeModel } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { falProvider } from '@genmount/provider-fal'
import { openaiProvider } from '@genmount/provider-openai'
import { replicateProvider } from '@genmount/provider-replicate'

function keyFrom(variable: string): string {
  const key = process.env[variable]
  if (key) return key
  console.error(
    `Set ${variable}. This server needs FAL_KEY, REPLICATE_API_TOKEN, OPENAI_API_KEY and CLIENT_KEY.`,
  )
  process.exit(1)
}

const fal = falProvider({
  token: keyFrom('FAL_KEY'),
  models: {
    'flux-schnell': { endpoint: 'fal-ai/flux/schnell', outputKind: 'image', price: 0.003 },
    'veo-3': {
      endpoint: 'fal-ai/veo3',
      outputKind: 'video',
      fields: { duration: (seconds) => ({ duration: `${seconds}s` }) },
      price: 0.4,
      typicalMs: 90_000,
    },
  },
})
const replicate = replicateProvider({
  token: keyFrom('REPLICATE_API_TOKEN'),
  models: {
    'flux-schnell': {
      model: 'black-forest-labs/flux-schnell',
      outputKind: 'image',
      price: 0.003,
      priceUnit: 'output',
    },
  },
})
const openai = openaiProvider({
  token: keyFrom('OPENAI_API_KEY'),
  models: { 'gpt-image-2': { price: { textInput: 5, imageInput: 8, imageOutput: 30 } } },
})

const service = createGenerationService({
  // What clients can name: a model that two vendors serve, the others of fal's, and all of OpenAI's.
  providers: [
    routeModel({
      id: 'flux-schnell',
      routes: [
        { provider: fal, model: 'flux-schnell' },
        { provider: replicate, model: 'flux-schnell' },
      ],
    }),
    fal,
    openai,
  ],
  // Jobs cost money from here on: they outlive the process.
  backend: sqliteBackend({ file: process.env['JOBS_FILE'] ?? 'jobs.db' }),
})

// An error that names what is missing ends the process before it listens.
await service.ready()

const authenticate = apiKeys({ app: keyFrom('CLIENT_KEY') })
const server = createServer(toNodeHandler(service, { authenticate }))
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  service.start()
  console.log('Listening on', server.address())
})

async function stop() {
  // A second signal ends the process at once.
  process.off('SIGTERM', stop).off('SIGINT', stop)
  // Docker kills a container ten seconds after SIGTERM.
  setTimeout(() => process.exit(), 8500).unref()
  // Meanwhile the server answers: 503 to creates, the job to reads, and 202 to those who wait.
  await service.close({ timeoutMs: 7000 })
  server.close()
}
process.on('SIGTERM', stop).on('SIGINT', stop)
