import { createGenerationService } from '@genmount/core'
import { apiKeys, toExpressMiddleware } from '@genmount/express-middleware'
import { proceduralProvider } from '@genmount/provider-procedural'
import { Injectable, Module, type BeforeApplicationShutdown } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'

@Injectable()
class Media implements BeforeApplicationShutdown {
  readonly service = createGenerationService({ providers: [proceduralProvider()] })

  beforeApplicationShutdown() {
    return this.service.close() // answers the requests that wait
  }
}

@Module({ providers: [Media] })
class AppModule {}

const app = await NestFactory.create(AppModule)
const authenticate = apiKeys({ alice: process.env.ALICE_KEY })
app.use('/media', toExpressMiddleware(app.get(Media).service, { authenticate }))
app.enableShutdownHooks() // SIGTERM calls beforeApplicationShutdown
await app.listen(process.env.PORT ?? 3000)
console.log(await app.getUrl())
