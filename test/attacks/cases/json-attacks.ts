import type { Attack, Target } from '../attack.ts'
import { create } from '../connections.ts'

const start = '{"model":"anything","prompt":"a kite"'
/** A little less than 20 MiB, which is the default limit for a body, in bytes. */
const largest = 20 * 2 ** 20 - 1000

/** Repeats `piece` until it fills the largest body. */
export const filledWith = (piece: string, bytes = largest) => piece.repeat(Math.floor(bytes / piece.length))

/** Sends the same body again and again, one after the other, until the time is over or `atMost` are sent. */
export const sentAgain =
  (bodyOf: () => string, atMost = 3, requestOf = (body: string) => create(body)) =>
  async ({ open, over, isOver }: Target): Promise<void> => {
    const request = requestOf(bodyOf())
    for (let sent = 0; sent < atMost && !isOver(); sent++) {
      const connection = await open()
      if (!connection) return
      const answered = connection.send(request).then(connection.answer)
      await Promise.race([answered, over])
    }
  }

/**
 * Attacks with bodies whose parsed value takes far more memory than the bytes of the body. Unless a comment
 * gives another reason, a budget allows for a body of 20 MB three times: as bytes, as text and as one more
 * copy of the text.
 */
export const jsonAttacks = {
  'wide JSON: 3 million values in 20 MB': {
    budgetMb: 60,
    run: sentAgain(() => `${start},"a":[0${filledWith(',12345')}]}`),
  },
  'wide JSON: 1.7 million keys in 20 MB': {
    budgetMb: 60,
    run: sentAgain(() => {
      const keys = Array.from({ length: 1_700_000 }, (_, index) => `,"${index.toString(36)}":1`).join('')
      return `${start}${keys.slice(0, largest).replace(/,[^,]*$/, '')}}`
    }),
  },
  'deep JSON: 10 million brackets': {
    budgetMb: 60,
    run: sentAgain(() => `${start},"a":${filledWith('[')}`),
  },
  '100,000 data URIs': {
    budgetMb: 60,
    run: sentAgain(
      () => `${start},"images":[${Array(100_000).fill('"data:image/png;base64,iVBORw0K"').join()}]}`,
    ),
  },
  'a text of 19 MB in provider_options of a job that is polled': {
    // The task is held in memory, in the pages of the log and, while it is written, in a copy of each of the
    // two.
    budgetMb: 100,
    // If the server accepts the body, it reads it from a socket and writes it once to the log and once to the
    // file.
    writesMb: 60,
    forMs: 2500,
    async run(target) {
      const options = `"provider_options":{"note":"${'x'.repeat(19e6)}"}`
      await sentAgain(() => `${start},"delay_ms":60000,${options}}`, 1)(target)
      await target.over
    },
  },
} satisfies Record<string, Attack>
