import { contentOf } from '../answers/content-of.ts'
import { messageOf } from './message-of.ts'
import type { ReceivedAnswer } from './received-answer.ts'
import { retryAfterMs } from './retry-after-ms.ts'
import { pollFailure, type ReportOf, submitFailure, type VendorWords } from './vendor-failure.ts'

/** An answer of a vendor, and what can be read in it. */
export interface VendorAnswer extends ReceivedAnswer {
  /**
   * What a successful answer contains: its JSON; the file, for a server that sends it without anything around it; the
   * events of a stream; or else its text, of a page only the words.
   */
  readonly content: unknown
  /**
   * The message of an error, from the first of the usual places that has one: `detail` (a text, or FastAPI's list),
   * `error.message`, `error`, `message` or `title`. `undefined` when there is none.
   */
  readonly message: string | undefined
  /** How long the answer asks to wait, in milliseconds: by `retry-after-ms` or `Retry-After`. `undefined` when it does not say it. */
  readonly retryAfterMs: number | undefined
  /**
   * Turns an unsuccessful answer to a submit into a report. 429 is `refused`: the service submits again later. 401, 402
   * and 403 are failures of this service's account, and 404 and 410 say that the vendor does not have the model: the
   * service tries the other routes. Other 4xx statuses fail the task, as `content_policy` if the vendor's code or words
   * mean moderation. An answer of Cloudflare itself that it could not connect to the vendor (521, 523, 525) is
   * `refused`.
   * @param words what the answer says beside its status, for this submit. They win over those of the client's `wordsIn`
   * @throws Error when the vendor may have accepted the task all the same: status 408, and 500 or higher
   */
  submitFailure(words?: VendorWords): ReportOf<'failed' | 'refused'>
  /**
   * Turns an unsuccessful answer to a poll into a report. 429 is `refused`. 404 is `unknown`, because it may be
   * temporary: a deployment, or a replica that lags behind. 410 fails the task, because it says that the task is gone
   * for good.
   * @param words what the answer says beside its status. They win over those of the client's `wordsIn`
   * @throws Error when the answer says nothing about the task: all other statuses
   */
  pollFailure(words?: VendorWords): ReportOf<'failed' | 'refused' | 'unknown'>
}

/** Reads what an unsuccessful answer says. */
export type VendorWordsIn = (answer: VendorAnswer) => VendorWords

/**
 * Makes the answer of a vendor that has not come through a `vendorClient`, but in a webhook or through an SDK.
 * @param wordsIn reads what the answer says, if it is unsuccessful. @default nothing
 */
export function vendorAnswer(received: ReceivedAnswer, wordsIn?: VendorWordsIn): VendorAnswer {
  const { ok, status, headers, bytes } = received
  const allWords = (words?: VendorWords): VendorWords => ({ ...wordsIn?.(answer), ...words })
  const answer: VendorAnswer = {
    ok,
    status,
    headers,
    bytes,
    get text() {
      return received.text
    },
    get json() {
      return received.json
    },
    get content() {
      return contentOf(received)
    },
    get message() {
      return messageOf(received.json)
    },
    get retryAfterMs() {
      return retryAfterMs(headers)
    },
    submitFailure: (words) => submitFailure(received, allWords(words)),
    pollFailure: (words) => pollFailure(received, allWords(words)),
  }
  return answer
}
