import { createGenerationService } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { proceduralProvider } from '@genmount/provider-procedural'
import { fastify, type FastifyInstance } from 'fastify'

const service = createGenerationService({ providers: [proceduralProvider()] })
const authenticate = apiKeys({ alice: process.env.ALICE_KEY })
const handle = toNodeHandler(service, { authenticate, mountPath: '/media' })

async function media(app: FastifyInstance) {
  // genmount reads the bodies: it limits them, and a vendor's signature covers their bytes.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.all('/v1/*', (request, reply) => {
    reply.hijack()
    handle(request.raw, reply.raw)
  })
  // Not onClose: before it, Fastify waits for the requests that wait for their jobs.
  app.addHook('preClose', async () => {
    await service.close() // without `return`: Fastify takes any result for an error
  })
}

const app = fastify()
app.register(media, { prefix: '/media' })
console.log(await app.listen({ port: Number(process.env.PORT ?? 3000) }))

process.once('SIGTERM', () => app.close())
