import type { Json, JsonObject, Provider } from '@genmount/core'
import type { ManualClock } from '../../clock/manual-clock.ts'
import type { Subject } from '../suite.ts'

/** The options for any provider. */
export interface ProviderSuiteOptions extends Subject {
  /** The clock of the vendor. @default the clock of the host, so the cases take real time */
  readonly clock?: ManualClock
  /**
   * A handle in the form that the provider uses, of a task that the vendor does not know.
   * @default the case about an unknown task is left out
   */
  readonly unknownHandle?: Json
  /**
   * Makes a provider that lacks what it needs on this machine.
   * @default the case about it passes without testing anything
   */
  readonly unusable?: () => Provider | Promise<Provider>
  /**
   * How long a sample, or one call of the provider, may take, in milliseconds. A sample is measured by `clock`, a call
   * in real time.
   * @default 60000
   */
  readonly finishWithinMs?: number
  /**
   * How long a call may take to return after its signal was aborted, in milliseconds of real time.
   * @default 2000
   */
  readonly settleWithinMs?: number
  /** Fetches an output that the provider reports as a URL. @default the `fetch` of the runtime */
  readonly fetch?: (url: string) => Promise<Response>
}

/** A provider that the author of the test has made. No faults come between it and its vendor. */
export interface LocalProviderSubject extends ProviderSuiteOptions {
  /** The provider that is tested. The suite does not close it. */
  readonly provider: Provider
  /** Makes another provider for the same vendor, as a restarted process does. @default the same provider is used */
  readonly reconnect?: () => Provider | Promise<Provider>
}

/** A provider that uses HTTP with its vendor. The suite also makes its requests fail, with a fault proxy. */
export interface HostedProviderSubject extends ProviderSuiteOptions {
  /**
   * Makes a provider that sends its requests to this base URL: `vendor`, or the proxy in front of it. The suite calls
   * it several times in a case, and closes the providers that it makes.
   */
  readonly provider: (baseUrl: string) => Provider
  /** The http URL of a test server in place of the vendor. */
  readonly vendor: string
  /** The vendor's keys, as the provider sends them. No report and no error may contain one. */
  readonly secrets: readonly string[]
  /**
   * How late an answer of the vendor may arrive and still count, in milliseconds of real time.
   * @default 500
   */
  readonly lateAnswerMs?: number
}

/** The provider that is tested, and what its suite needs to know. */
export type ProviderSubject = LocalProviderSubject | HostedProviderSubject

/** A valid input of a model. */
export interface Sample {
  /** The id of the model. */
  readonly model: string
  /** The input, without the field `model`. */
  readonly input: JsonObject
}
