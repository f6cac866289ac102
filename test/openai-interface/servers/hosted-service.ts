import { createGenerationService, type ErrorCode, GenerationError } from '@genmount/core'
import { apiKeys } from '@genmount/fetch-handler'
import { openaiInterface } from '@genmount/openai-interface'
import { fakeProvider, quietLog } from '@genmount/testing'
import { filmer, painter } from '../models.ts'

/** Models that the app refuses, each with the error. */
const refusals: Readonly<Record<string, ErrorCode>> = {
  crowded: 'rate_limit_exceeded',
  forbidden: 'model_not_allowed',
}

/** The service of the tests on each host, and the options that are the same on all of them. */
export function hostedService() {
  const studio = fakeProvider({ name: 'studio', models: [painter, filmer] })
  const named = (...ids: readonly string[]) => ids.map((id) => ({ ...painter, id }))
  const refusing = fakeProvider({
    name: 'refusing',
    models: named('refuser'),
    behave: () => ({ failure: { code: 'content_policy', message: 'No foxes.' } }),
  })
  const failing = fakeProvider({
    name: 'failing',
    models: named('breaker', ...Object.keys(refusals)),
    behave: () => ({ failure: { code: 'provider_failed' } }),
  })
  const service = createGenerationService({
    providers: [fakeProvider(), studio, refusing, failing],
    admit({ model }) {
      const code = refusals[model.id]
      if (code) throw new GenerationError(code, 'Not for this test.')
    },
    log: quietLog(),
  })
  const authenticate = apiKeys({ alice: 'alice-key' })
  return { service, options: { authenticate, interfaces: [openaiInterface()] } }
}
