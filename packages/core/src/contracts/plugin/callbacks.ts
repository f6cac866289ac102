import type { Job } from '../job.ts'
import type { CallbackRequest } from '../callback-request.ts'
import type { Provider } from '../provider.ts'

/** How the vendors of a service call back, for the steps of its jobs. */
export interface VendorCallbacks {
  /**
   * The URL at which the vendor may call back for the job. The provider gets it with its submit. It may take 10 seconds.
   * After an error the provider gets none.
   * @returns `undefined` for a provider that takes no callbacks
   */
  urlOf(job: Job, provider: Provider): Promise<string> | undefined
  /**
   * Whether callbacks of this provider arrive: then its jobs are polled every 30 seconds at most.
   * @param provider the name of the provider
   */
  arriveFrom(provider: string): boolean
}

/** The parts of a callback's URL that show to which job the callback belongs. */
export interface CallbackAddress {
  /** The name of the provider. */
  readonly provider: string
  /** The secret token. */
  readonly token: string
}

/** What the plugin `callbacks` adds to the service. */
export interface CallbackMethods {
  /**
   * Receives a callback of a provider. It causes a poll, which reads the state of the task from the provider. The
   * handle in the callback is used if the answer to the submit was lost. The /v1 interface calls it.
   * @param request the callback, or a function that reads it. The function is called only when `address` is known to be
   *   the job's, so that a stranger can't make the service read a body
   * @param address the provider and token in the callback's URL. Leave it out only if you have verified in another way
   *   to which job the callback belongs, and never for a provider with `callbacksAreHints`: the service refuses its
   *   callbacks without an address
   * @returns whether the callback is genuine. A forged callback changes nothing
   * @throws the error of that function, or GenerationError `store_unavailable` when the callback can't be stored
   */
  receiveCallback(
    jobId: string,
    request: CallbackRequest | (() => Promise<CallbackRequest>),
    address?: CallbackAddress,
  ): Promise<boolean>
  /**
   * Receives a callback that came to the address of a provider, and not to that of a job, as {@link receiveCallback} does. The
   * provider says whose job it is. The /v1 interface calls it.
   * @param provider the name of a provider with `jobOfCallback`
   * @param request reads the callback. It is called only when there is such a provider
   * @returns whether the callback is genuine. It is also genuine when no job has begun its task, or the job is gone
   * @throws as `receiveCallback` does
   */
  receiveAccountCallback(provider: string, request: () => Promise<CallbackRequest>): Promise<boolean>
}

/**
 * The path of a job's callback URL below the base URL, as a pattern for a router: `:provider` is the provider's name
 * (percent-encoded), `:job` the id of the job and `:token` the secret.
 */
export const callbackPath = '/v1/callbacks/:provider/:job/:token'

/** The path of a provider's address for callbacks of its whole account, as {@link callbackPath}. */
export const accountCallbackPath = '/v1/callbacks/:provider'
