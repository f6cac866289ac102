import { DurableObject } from 'cloudflare:workers'
import { durableObjectBackend } from '@genmount/backend-cloudflare/durable-object'
import { r2Files, type R2BucketBinding } from '@genmount/backend-cloudflare/r2'
import { advance } from '@genmount/core/advance'
import { toFetchHandler } from '@genmount/fetch-handler'
import { httpSuiteService } from '@genmount/testing/http'
import { suiteOptions } from '../hosts/suite-options.ts'

interface Env {
  readonly MEDIA: DurableObjectNamespace<SuiteObject>
  readonly OUTPUTS: R2BucketBinding
}

/** The service of the suite in an object, with all its owners, because the suite expects them at one address. */
export class SuiteObject extends DurableObject<Env> {
  readonly #backend = durableObjectBackend({ storage: this.ctx.storage })
  readonly #suite = httpSuiteService({
    backend: this.#backend,
    files: r2Files({ bucket: this.env.OUTPUTS }),
    plugins: [advance()],
  })
  readonly #handle = toFetchHandler(this.#suite.service, suiteOptions(this.#suite))

  fetch(request: Request): Promise<Response> {
    return this.#handle(request)
  }

  alarm(info?: { readonly retryCount: number }): Promise<void> {
    return this.#backend.alarm(this.#suite.service, info)
  }
}

export default {
  fetch: (request: Request, { MEDIA }: Env) => MEDIA.getByName('suite').fetch(request),
}
