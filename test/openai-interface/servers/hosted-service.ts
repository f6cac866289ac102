import { createGenerationService } from '@genmount/core'
import { apiKeys } from '@genmount/fetch-handler'
import { openaiInterface } from '@genmount/openai-interface'
import { fakeProvider, quietLog } from '@genmount/testing'
import { filmer, painter } from '../models.ts'

/** The service of the tests on each host, and the options that are the same on all of them. */
export function hostedService() {
  const studio = fakeProvider({ name: 'studio', models: [painter, filmer] })
  const failing = fakeProvider({
    name: 'failing',
    models: [{ ...painter, id: 'refuser' }],
    behave: [{ failure: { code: 'content_policy', message: 'No foxes.' } }],
  })
  const service = createGenerationService({
    providers: [fakeProvider(), studio, failing],
    log: quietLog(),
  })
  const authenticate = apiKeys({ alice: 'alice-key' })
  return { service, options: { authenticate, interfaces: [openaiInterface()] } }
}
