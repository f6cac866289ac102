/* Prints whether a service with the embedded provider is ready. An app checks this when it starts. */
import { createGenerationService } from '@genmount/core'
import { proceduralProvider } from '@genmount/provider-procedural'

const service = createGenerationService({ providers: [proceduralProvider()] })
try {
  await service.ready()
  console.log('It is ready.')
} catch (error) {
  console.log((error as Error).message)
}
await service.close()
