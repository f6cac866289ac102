import type { GenerationError, GenerationService, Job, JobRequest } from '@genmount/core'
import type { Answer, OwnedExchange } from './exchange.ts'
import type { RouteMethod } from './path-routes.ts'
import type { V1Reply } from './v1-request.ts'

declare const mountable: unique symbol

/**
 * Another interface over the same service, on the same mount as /v1. Its requests pass the same check of keys, count in
 * the same limits, and end in the same jobs. An app passes it in the option `interfaces`. `furtherInterface` of
 * `@genmount/v1-interface/further` makes it.
 */
export interface FurtherInterface {
  /** Exists for the compiler alone, which tells what `furtherInterface` has made from others by it. */
  readonly [mountable]: true
}

/** What makes up a {@link FurtherInterface}. */
export interface FurtherInterfaceParts {
  /** Where it begins below the mount path, such as `/openai/v1`. */
  readonly path: string
  /** Makes its routes. Called once, when the interface is mounted. */
  routes(host: InterfaceHost): readonly FurtherRoute[]
  /** The reply to a request that is refused, below this path. */
  refusal(error: GenerationError): V1Reply
}

/** One path of a {@link FurtherInterface}, with its answers by method. GET serves HEAD too. */
export interface FurtherRoute {
  /** The path below that of the interface: `:id` is one segment, `:id+` the rest. */
  readonly path: string
  /** The answers by method. A rejection with a `GenerationError` becomes the `refusal`. */
  readonly answers: Readonly<Partial<Record<RouteMethod, Answer<OwnedExchange>>>>
}

/** What a {@link FurtherInterface} shares with /v1. */
export interface InterfaceHost {
  /** The service, without `create`: jobs of requests are made by `create` of the host. */
  readonly service: Omit<GenerationService, 'create'>
  /**
   * Creates a job for a request as a create of /v1 does: for the owner and the key of the request, and within the limit
   * that its header `x-spend-usd-per-day` sets.
   * @throws GenerationError as `create` of the service; `invalid_request` for a request with `dry_run=true`, which only
   *   the paths of /v1 answer
   */
  create(
    exchange: OwnedExchange,
    order: Omit<JobRequest, 'keyId' | 'owner' | 'spendUsdPerDay'>,
  ): ReturnType<GenerationService['create']>
  /**
   * Reads the body of a request as /v1 reads the body of a create, within the same limits: a JSON value, or the fields of
   * a form (`multipart/form-data`). The bytes of the body count until `use` has finished.
   * @throws GenerationError that says what is wrong with the body; whatever `use` throws
   */
  withBody<Result>(exchange: OwnedExchange, use: (body: JsonOrForm) => Promise<Result>): Promise<Result>
  /**
   * Makes a link to the output `n` of a finished job, which works without a key.
   * @throws GenerationError `file_not_ready`, `file_not_found` or `store_unavailable`
   */
  outputLink(job: Job, n: number, exchange: OwnedExchange): Promise<string>
  /**
   * Sends the output `n` of a finished job, or the part of it that the request asks for. It redirects to an output that
   * the service can't read itself.
   * @throws GenerationError `file_not_ready`, `file_not_found`, `capacity_exceeded` or `store_unavailable`
   */
  outputReply(job: Job, n: number, exchange: OwnedExchange): Promise<V1Reply>
}

/** The body of a request: the parsed JSON, or the fields of a form. */
export type JsonOrForm =
  | {
      /** The parsed JSON value. */
      readonly json: unknown
    }
  | {
      /** The fields and files of the form. */
      readonly form: FormData
    }
