import type { ServicePlugin } from '@genmount/core'
import { outputReader } from '../reading/output-reader.ts'
import { storedFacts } from '../reading/stored-facts.ts'
import { listOf } from '../wire/output-list.ts'
import { outputSchemas, outputsOperation } from '../wire/output-schemas.ts'

/**
 * Reads facts of each output while it goes into the file store, and shows them at `GET /v1/jobs/{id}/outputs`: media type, size in
 * bytes and pixels, duration, frames per second, codec, sound, SHA-256, and what the file says about how it was made. The bytes are
 * those that clients download. Nothing is decoded, no output is changed, and none is lost when its facts can't be read.
 * @example createGenerationService({ providers, plugins: [provenance(), outputFacts()] })
 */
export function outputFacts(): ServicePlugin {
  return {
    name: 'output-facts',
    attach({ files, clock, read }) {
      const factsOf = storedFacts(files, clock)
      return {
        readOutput: ({ contentType }) => outputReader(contentType),
        routes: [
          {
            method: 'GET',
            path: '/v1/jobs/:id/outputs',
            async answer({ owner, params: { id = '' }, baseUrl }) {
              const job = await read(id, owner)
              const outputs = job.phase === 'completed' ? job.outputs : []
              return { json: listOf(job, baseUrl, await Promise.all(outputs.map(factsOf))) }
            },
            operation: outputsOperation,
          },
        ],
        openapi: () => ({ schemas: outputSchemas }),
      }
    },
  }
}
